/**
 * Items of a run by id, each stored as a row of its own. It notes which were touched since they were last taken, so that
 * only those are written. Items of `get` and `values` are for reading; who changes one asks for it by `edit`.
 */
export class ItemMap<Id extends string | number, Item extends object> {
  readonly #items: Map<Id, Item>;
  readonly #touched = new Set<Id>();
  readonly #onTouched: (id: Id) => void;

  /** @param onTouched is called with the id of each item that is added, asked for by `edit`, or removed */
  constructor(items: Iterable<readonly [Id, Item]>, onTouched: (id: Id) => void) {
    this.#items = new Map(items);
    this.#onTouched = onTouched;
  }

  get size(): number {
    return this.#items.size;
  }

  get(id: Id): Readonly<Item> | undefined {
    return this.#items.get(id);
  }

  values(): IterableIterator<Readonly<Item>> {
    return this.#items.values();
  }

  edit(id: Id): Item | undefined {
    const item = this.#items.get(id);
    if (item) this.#touch(id);
    return item;
  }

  add(id: Id, item: Item): void {
    this.#items.set(id, item);
    this.#touch(id);
  }

  delete(id: Id): void {
    if (this.#items.delete(id)) this.#touch(id);
  }

  clear(): void {
    for (const id of this.#items.keys()) this.#touch(id);
    this.#items.clear();
  }

  /** Answers what was touched since the last call, with undefined for what is gone. */
  takeTouched(): (readonly [Id, Readonly<Item> | undefined])[] {
    if (this.#touched.size === 0) return [];
    const taken = [...this.#touched].map((id) => [id, this.#items.get(id)] as const);
    this.#touched.clear();
    return taken;
  }

  #touch(id: Id): void {
    this.#touched.add(id);
    this.#onTouched(id);
  }
}
