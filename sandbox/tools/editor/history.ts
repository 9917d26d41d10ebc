/** The contents of each file before its edits, newest last, to which `undo_edit` returns. */
export interface EditHistory {
  push(path: string, content: Uint8Array): Promise<void>;
  /** Removes and returns the newest content; null when there is none. */
  pop(path: string): Promise<Uint8Array | null>;
}

/** The most bytes of former contents that are kept. */
export const MAX_HISTORY_BYTES = 64 * 1024 * 1024;

/** A history that lives as long as this object. When it exceeds `maxBytes` in all, the oldest contents are dropped. */
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
