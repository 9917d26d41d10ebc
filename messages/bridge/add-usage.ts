import { isRecord } from '../api/is-record.ts';

function added(one: unknown, other: unknown): unknown {
  if (one == null || other == null) return other ?? one;
  if (typeof one === 'number' && typeof other === 'number') return one + other;
  if (Array.isArray(one) && Array.isArray(other)) return (one as unknown[]).concat(other);
  if (isRecord(one) && isRecord(other)) return addUsage(one, other);
  return other;
}

/** Adds the usage of two replies that the client gets as one. Where a value is not a count, the later one stays. */
export function addUsage<T extends object, U extends object>(one: T, other: U): T & U {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      added((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
    ]),
  ) as T & U;
}
