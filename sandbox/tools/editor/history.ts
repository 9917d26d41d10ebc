/** What each file held before its edits, newest last: where `undo_edit` goes back to. */
export interface EditHistory {
  push(path: string, content: Uint8Array): Promise<void>;
  /** Takes the newest content away; null when there is none. */
  pop(path: string): Promise<Uint8Array | null>;
}

/** Bytes of former contents that are kept. */
export const MAX_HISTORY_BYTES = 64 * 1024 * 1024;

/** A history that lives as long as this object. Above `maxBytes` in all the oldest contents are forgotten. */
export class MemoryHistory implements EditHistory {
  readonly #maxBytes: number;
  #entries: { readonly path: string; readonly content: Uint8Array }[] = [];
  #bytes = 0;

  constructor(maxBytes = MAX_HISTORY_BYTES) {
    this.#maxBytes = maxBytes;
  }

  push(path: string, content: Uint8Array): Promise<void> {
    this.#entries.push({ path, content });
    this.#bytes += content.length;
    while (this.#bytes > this.#maxBytes && this.#entries.length > 1)
      this.#bytes -= this.#entries.shift()?.content.length ?? 0;
    return Promise.resolve();
  }

  pop(path: string): Promise<Uint8Array | null> {
    const index = this.#entries.findLastIndex((entry) => entry.path === path);
    const [entry] = index < 0 ? [] : this.#entries.splice(index, 1);
    this.#bytes -= entry?.content.length ?? 0;
    return Promise.resolve(entry?.content ?? null);
  }
}
