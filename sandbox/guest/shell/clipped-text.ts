/** This stands where the middle of a long output was left out. */
const CLIP_MARK = '\n<response clipped>\n';
/** Two streams of this length, with each character escaped, fit in a frame to the daemon. */
const UNLIMITED_CHARACTERS = 2 * 1024 * 1024;

/**
 * Collects a byte stream as text of at most `keep` characters (UTF-16 units, including the mark): the first and the
 * last characters around `<response clipped>`. Memory stays bounded however much arrives. Bytes that are not UTF-8
 * become U+FFFD.
 */
export class ClippedText {
  readonly #keep: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #head = '';
  #tail = '';
  #total = 0;

  constructor(keep: number | null) {
    this.#keep = keep ?? UNLIMITED_CHARACTERS;
  }

  push(chunk: Uint8Array): void {
    this.#add(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Returns the text so far without one trailing newline, and starts anew. */
  take(): string {
    this.#add(this.#decoder.decode());
    const text = this.#text();
    this.#head = '';
    this.#tail = '';
    this.#total = 0;
    return text;
  }

  #add(text: string): void {
    this.#total += text.length;
    const room = this.#keep - this.#head.length;
    this.#head += text.slice(0, room);
    if (text.length <= room) return;
    this.#tail += text.slice(room);
    // Each trim copies, so it is done rarely.
    if (this.#tail.length > this.#keep * 4) this.#tail = this.#tail.slice(-this.#keep);
  }

  #text(): string {
    const all = this.#head + this.#tail;
    const newline = all.endsWith('\n') ? 1 : 0;
    if (this.#total - newline <= this.#keep) return newline === 1 ? all.slice(0, -1) : all;
    const first = Math.ceil((this.#keep - CLIP_MARK.length) / 2);
    const last = this.#keep - CLIP_MARK.length - first;
    const end = all.length - newline;
    return wholeCharacters(all.slice(0, first)) + CLIP_MARK + wholeCharacters(all.slice(end - last, end));
  }
}

/** Removes half a surrogate pair at either end, which UTF-8 could not carry. */
function wholeCharacters(text: string): string {
  const start = /^[\uDC00-\uDFFF]/.test(text) ? 1 : 0;
  const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
  return text.slice(start, end);
}
