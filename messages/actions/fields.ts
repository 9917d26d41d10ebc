import { isRecord } from '../api/is-record.ts';
import type { Direction, Point, Region } from './action.ts';

/** An input means nothing; the message says why in the words of the reference tools. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
}

/** Reads the fields of a tool's input and checks their types. A null counts as absent. */
export class Fields {
  readonly #input: Readonly<Record<string, unknown>>;
  /** The action that the input asks for, for error messages. */
  readonly #doing: string;

  constructor(input: unknown, doing: string) {
    if (!isRecord(input)) throw new InvalidInputError('the input must be an object');
    this.#input = input;
    this.#doing = doing;
  }

  has(name: string): boolean {
    return this.#input[name] != null;
  }

  /** @throws {InvalidInputError} when any of the fields is given. */
  without(...names: readonly string[]): void {
    for (const name of names) {
      if (this.has(name)) throw new InvalidInputError(`${name} is not accepted for ${this.#doing}`);
    }
  }

  #required(name: string): unknown {
    if (!this.has(name)) throw new InvalidInputError(`${name} is required for ${this.#doing}`);
    return this.#input[name];
  }

  text(name: string): string {
    const value = this.#required(name);
    if (typeof value !== 'string') throw new InvalidInputError(`${JSON.stringify(value)} must be a string`);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  point(name: string): Point {
    const value = this.#required(name);
    if (!Array.isArray(value) || value.length !== 2) {
      throw new InvalidInputError(`${JSON.stringify(value)} must be a tuple of length 2`);
    }
    if (!value.every(isPixel)) {
      throw new InvalidInputError(`${JSON.stringify(value)} must be a tuple of non-negative ints`);
    }
    return value as unknown as Point;
  }

  optionalPoint(name: string): Point | undefined {
    return this.has(name) ? this.point(name) : undefined;
  }

  region(name: string): Region {
    const value = this.#required(name);
    if (!Array.isArray(value) || value.length !== 4) {
      throw new InvalidInputError(
        `${name}=${JSON.stringify(value)} must be a tuple of 4 coordinates (x0, y0, x1, y1)`,
      );
    }
    if (!value.every(isPixel)) {
      throw new InvalidInputError(`${name}=${JSON.stringify(value)} must contain non-negative integers`);
    }
    return value as unknown as Region;
  }

  /** Reads a whole number from `least` to `most`. */
  whole(name: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.#required(name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidInputError(`${name}=${JSON.stringify(value)} must be a whole number ${range}`);
  }

  seconds(name: string, longest: number): number {
    const value = this.#required(name);
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new InvalidInputError(`${name}=${JSON.stringify(value)} must be a number`);
    }
    if (value < 0) throw new InvalidInputError(`${name}=${value} must be non-negative`);
    if (value > longest) throw new InvalidInputError(`${name}=${value} is too long.`);
    return value;
  }

  direction(name: string): Direction {
    const value = this.#required(name);
    if (value === 'up' || value === 'down' || value === 'left' || value === 'right') return value;
    throw new InvalidInputError(`${name}=${JSON.stringify(value)} must be 'up', 'down', 'left', or 'right'`);
  }
}

function isPixel(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
