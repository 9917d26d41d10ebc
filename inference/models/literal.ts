/** Class names are in no deeper lists. */
const MAX_DEPTH = 8;

/**
 * Parses a list, dictionary, text or number as exporters write it into a model's metadata: JSON, or what Python prints,
 * such as `{0: 'person', 1: "men's"}`. Undefined where it is neither.
 */
export function parseLiteral(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It may be Python's notation.
  }
  try {
    const reader = new PythonReader(text);
    const value = reader.value(0);
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteralError) return undefined;
    throw error;
  }
}

class NotALiteralError extends Error {}

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\n': '' };

class PythonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#spaces();
    return this.#at === this.#text.length;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotALiteralError();
    this.#spaces();
    const next = this.#text[this.#at] ?? '';
    if (next === '{') return this.#dictionary(depth);
    if (next === '[') return this.#list(']', depth);
    if (next === '(') return this.#list(')', depth);
    if (next === "'" || next === '"') return this.#string(next);
    return this.#word();
  }

  #dictionary(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.#at += 1;
    while (!this.#accept('}')) {
      const key = this.value(depth + 1);
      if ((typeof key !== 'string' && typeof key !== 'number') || !this.#accept(':'))
        throw new NotALiteralError();
      entries.push([String(key), this.value(depth + 1)]);
      if (!this.#accept(',') && this.#text[this.#at] !== '}') throw new NotALiteralError();
    }
    return Object.fromEntries(entries);
  }

  #list(end: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    while (!this.#accept(end)) {
      items.push(this.value(depth + 1));
      if (!this.#accept(',') && this.#text[this.#at] !== end) throw new NotALiteralError();
    }
    return items;
  }

  #string(quote: string): string {
    let value = '';
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const next = this.#text[this.#at] ?? '';
      if (next === quote) {
        this.#at += 1;
        return value;
      }
      value += next === '\\' ? this.#escape() : next;
    }
    throw new NotALiteralError();
  }

  #escape(): string {
    this.#at += 1;
    const next = this.#text[this.#at] ?? '';
    const digits = { x: 2, u: 4, U: 8 }[next];
    if (digits === undefined) return ESCAPES[next] ?? next;
    const code = this.#text.slice(this.#at + 1, this.#at + 1 + digits);
    this.#at += digits;
    const point = Number.parseInt(code, 16);
    if (!/^[0-9a-f]+$/i.test(code) || code.length < digits || point > 0x10_ffff) throw new NotALiteralError();
    return String.fromCodePoint(point);
  }

  #word(): unknown {
    const match = /[A-Za-z0-9_.+-]+/y;
    match.lastIndex = this.#at;
    const word = match.exec(this.#text)?.[0] ?? '';
    this.#at += word.length;
    if (WORDS.has(word)) return WORDS.get(word);
    if (word === '' || !Number.isFinite(Number(word))) throw new NotALiteralError();
    return Number(word);
  }

  #accept(sign: string): boolean {
    this.#spaces();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    this.#spaces();
    return true;
  }

  #spaces(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}
