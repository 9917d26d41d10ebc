import { readFileSync } from 'node:fs';
import { errorCode, errorText } from './error-fields.ts';

/** A file of this product is damaged. What it belongs to cannot be used; everything else can. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
  readonly path: string;
  constructor(path: string, why: string, options?: ErrorOptions) {
    super(`${path} is damaged: ${why}`, options);
    this.path = path;
  }
}

/** What `read` returns, or what `otherwise` does when `read` finds a damaged file. */
export function unlessDamaged<T, U>(read: () => T, otherwise: (error: DamagedFileError) => U): T | U {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedFileError) return otherwise(error);
    throw error;
  }
}

/** Reads a JSON file of this product; null when there is none. Throws DamagedFileError when `check` refuses it. */
export function readRecord<T>(path: string, check: (value: unknown) => value is T): T | null {
  const text = readText(path);
  return text === null ? null : parseRecord(path, text, check);
}

/** The text of a file of this product; null when there is none. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // A file that the disk cannot read back is as lost as one that was changed.
    if (errorCode(error) === 'EIO') throw new DamagedFileError(path, 'it cannot be read', { cause: error });
    throw error;
  }
}

export function parseRecord<T>(path: string, text: string, check: (value: unknown) => value is T): T {
  if (text.trim() === '') throw new DamagedFileError(path, 'it is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DamagedFileError(path, errorText(error), { cause: error });
  }
  if (!check(value)) throw new DamagedFileError(path, 'it does not hold what belongs there');
  return value;
}

/** Whether a value is an object whose fields pass these tests. */
export function isRecordOf(
  value: unknown,
  fields: Readonly<Record<string, (field: unknown) => boolean>>,
): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return Object.entries(fields).every(([name, test]) => test(record[name]));
}

export const isText = (field: unknown): boolean => typeof field === 'string';
export const isNumber = (field: unknown): boolean => typeof field === 'number';
export const isObject = (field: unknown): boolean => typeof field === 'object' && field !== null;
