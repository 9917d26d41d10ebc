import { DataError } from '../core/data.ts';

const MAX_DEPTH = 100;

/**
 * Refuses what Temporal's JSON would lose without a word. A Date becomes its ISO text there, as in any activity's input.
 *
 * @throws DataError with the place of the value.
 */
export function requireJson(value: unknown, where: string, depth = 0): void {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    throw new DataError(where, `a ${typeof value} does not reach an activity; pass a string or a number`);
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || depth > MAX_DEPTH) return;
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) {
    throw new DataError(where, `a ${value.constructor.name} does not reach an activity; pass an array`);
  }
  if ('toJSON' in value) return;
  for (const [key, part] of Object.entries(value)) requireJson(part, `${where}.${key}`, depth + 1);
}
