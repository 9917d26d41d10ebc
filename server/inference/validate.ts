import { type Issue, RequestInvalidError } from './errors.ts';

/**
 * Reads a request's values as FastAPI (pydantic) does, gathering every fault with its type and words, so that one
 * answer names them all. A value that is at fault reads as `undefined` until `done` throws.
 */
export class Reading {
  readonly #issues: Issue[] = [];

  /** Notes a fault, which reads as `undefined`. */
  add(issue: Issue): undefined {
    this.#issues.push({ ...issue, input: shown(issue.input, { left: MAX_SHOWN }) });
  }

  missing(loc: Issue['loc'], input: unknown = null): undefined {
    return this.add({ type: 'missing', loc, msg: 'Field required', input });
  }

  literal<const T extends string | number>(
    loc: Issue['loc'],
    value: unknown,
    allowed: readonly T[],
  ): T | undefined {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    const expected = listed(allowed.map((each) => (typeof each === 'string' ? `'${each}'` : String(each))));
    const msg = `Input should be ${expected}`;
    return this.add({ type: 'literal_error', loc, msg, input: value, ctx: { expected } });
  }

  /** A number in a query or in a JSON body; numbers in texts are taken, as pydantic does. */
  float(loc: Issue['loc'], value: unknown, bounds: Bounds = {}): number | undefined {
    return this.#number('float', 'number', parseFloatText, loc, value, bounds);
  }

  /** A whole number in a query or in a JSON body. */
  int(loc: Issue['loc'], value: unknown, bounds: Bounds = {}): number | undefined {
    if (typeof value !== 'number' || Number.isInteger(value))
      return this.#number('int', 'integer', parseIntText, loc, value, bounds);
    const msg = 'Input should be a valid integer, got a number with a fractional part';
    return this.add({ type: 'int_from_float', loc, msg, input: value });
  }

  #number(
    type: 'float' | 'int',
    word: 'number' | 'integer',
    parse: (text: string) => number | undefined,
    loc: Issue['loc'],
    input: unknown,
    bounds: Bounds,
  ): number | undefined {
    const msg = `Input should be a valid ${word}`;
    if (!['string', 'number', 'bigint', 'boolean'].includes(typeof input))
      return this.add({ type: `${type}_type`, loc, msg, input });
    const value = typeof input === 'string' ? parse(input) : Number(input);
    if (value !== undefined) return this.#bounded(loc, value, input, bounds);
    const article = type === 'int' ? 'an' : 'a';
    return this.add({
      type: `${type}_parsing`,
      loc,
      msg: `${msg}, unable to parse string as ${article} ${word}`,
      input,
    });
  }

  /** Hands the value on. Throws RequestInvalidError when anything was at fault, the value's own lack included. */
  done<T>(value: T | undefined): T {
    if (this.#issues.length > 0 || value === undefined) throw new RequestInvalidError(this.#issues);
    return value;
  }

  #bounded(loc: Issue['loc'], value: number, input: unknown, { ge, le }: Bounds): number | undefined {
    // Written so that NaN is within no bounds.
    if (le !== undefined && !(value <= le)) {
      const msg = `Input should be less than or equal to ${le}`;
      return this.add({ type: 'less_than_equal', loc, msg, input, ctx: { le } });
    }
    if (ge !== undefined && !(value >= ge)) {
      const msg = `Input should be greater than or equal to ${ge}`;
      return this.add({ type: 'greater_than_equal', loc, msg, input, ctx: { ge } });
    }
    return value;
  }
}

/** How many values, and how much of a text, an answer repeats of what was sent. */
const MAX_SHOWN = 100;
const MAX_SHOWN_TEXT = 1000;

/** What was at fault, as far as an answer can repeat it: a body of megabytes is not sent back. */
function shown(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_SHOWN_TEXT);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const entry of value as readonly unknown[]) {
      if ((budget.left -= 1) < 0) break;
      list.push(shown(entry, budget));
    }
    return list;
  }
  const members: [string, unknown][] = [];
  for (const key in value) {
    if ((budget.left -= 1) < 0) break;
    members.push([key.slice(0, MAX_SHOWN_TEXT), shown((value as Record<string, unknown>)[key], budget)]);
  }
  return Object.fromEntries(members);
}

export interface Bounds {
  readonly ge?: number;
  readonly le?: number;
}

const NUMBER = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;

/** A whole number as pydantic reads it in a text. */
function parseIntText(text: string): number | undefined {
  const digits = /^\s*([+-]?\d+(?:_\d+)*)(?:\.0+)?\s*$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll('_', ''));
}

/** A number as Python's `float` reads it. */
function parseFloatText(text: string): number | undefined {
  const trimmed = text.trim();
  const word = /^([+-]?)(nan|inf(?:inity)?)$/i.exec(trimmed);
  if (word !== null) {
    if (word[2]?.toLowerCase() === 'nan') return NaN;
    return word[1] === '-' ? -Infinity : Infinity;
  }
  // Pydantic takes spaces around it or underscores in it, not both.
  if (trimmed !== text && text.includes('_')) return undefined;
  return NUMBER.test(trimmed) ? Number(trimmed.replaceAll('_', '')) : undefined;
}

function listed(texts: readonly string[]): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1) ?? ''}`;
}
