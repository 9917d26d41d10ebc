interface Entry<Key> {
  readonly key: Key;
  readonly at: number;
  readonly order: number;
}

/**
 * Times by key, the earliest first; of equal times the one with the lower order comes first. Setting and removing take
 * logarithmic time: a replaced entry stays in the heap until it comes to the top or there are too many of them.
 */
export class KeyedHeap<Key> {
  readonly #current = new Map<Key, Entry<Key>>();
  readonly #heap: Entry<Key>[] = [];

  /** Sets the time of a key; undefined removes the key. */
  set(key: Key, at: number | undefined, order = 0): void {
    if (at === undefined) {
      this.#current.delete(key);
      return;
    }
    const current = this.#current.get(key);
    if (current?.at === at && current.order === order) return;
    const entry = { key, at, order };
    this.#current.set(key, entry);
    this.#push(entry);
    if (this.#heap.length > 2 * this.#current.size + 1024) this.#compact();
  }

  has(key: Key): boolean {
    return this.#current.has(key);
  }

  earliest(): { readonly key: Key; readonly at: number } | undefined {
    for (let top = this.#heap[0]; top; top = this.#heap[0]) {
      if (this.#current.get(top.key) === top) return top;
      this.#pop();
    }
    return undefined;
  }

  /** The number of keys. */
  get size(): number {
    return this.#current.size;
  }

  /** The number of entries, including replaced ones. */
  get entries(): number {
    return this.#heap.length;
  }

  clear(): void {
    this.#current.clear();
    this.#heap.length = 0;
  }

  #compact(): void {
    this.#heap.length = 0;
    for (const entry of this.#current.values()) this.#push(entry);
  }

  #push(entry: Entry<Key>): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || !isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const leftEntry = heap[left];
      if (!leftEntry) break;
      const rightEntry = heap[right];
      const child = rightEntry && isBefore(rightEntry, leftEntry) ? right : left;
      const childEntry = heap[child];
      if (!childEntry || !isBefore(childEntry, last)) break;
      heap[index] = childEntry;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
