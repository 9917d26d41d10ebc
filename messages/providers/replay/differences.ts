import { isRecord } from '../../api/is-record.ts';

export interface Difference {
  /** The path in the form of the API's errors, such as `messages.2.content.0.text`. */
  readonly path: string;
  /** Excerpts around the first difference. */
  readonly recorded: string;
  readonly sent: string;
}

const EXCERPT = 120;
/** The number of equal characters that an excerpt shows before the difference. */
const BEFORE = 30;
const NOTHING = 'nothing';

function excerpt(text: string, from = 0): string {
  const start = Math.max(0, from - BEFORE);
  const end = start + EXCERPT;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

function shown(value: unknown, from = 0): string {
  if (value === undefined) return NOTHING;
  if (typeof value === 'string') return JSON.stringify(excerpt(value, from));
  return excerpt(JSON.stringify(value) ?? NOTHING);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

/** Finds up to `limit` differences between two values of plain JSON, in order. */
export function differences(recorded: unknown, sent: unknown, limit: number, path = ''): Difference[] {
  if (limit <= 0) return [];
  const under = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
  const inside = (
    keys: readonly (string | number)[],
    of: (value: unknown, key: string | number) => unknown,
  ) => {
    const found: Difference[] = [];
    for (const key of keys) {
      const rest = limit - found.length;
      found.push(...differences(of(recorded, key), of(sent, key), rest, under(key)));
    }
    return found;
  };
  if (Array.isArray(recorded) && Array.isArray(sent)) {
    const length = Math.max(recorded.length, sent.length);
    return inside([...Array.from({ length }).keys()], (list, index) => (list as unknown[])[Number(index)]);
  }
  if (isRecord(recorded) && isRecord(sent) && recorded['type'] === sent['type']) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(sent)])];
    return inside(keys, (object, key) => (object as Record<string, unknown>)[key]);
  }
  if (Object.is(recorded, sent)) return [];
  const from = typeof recorded === 'string' && typeof sent === 'string' ? firstDifference(recorded, sent) : 0;
  return [{ path, recorded: shown(recorded, from), sent: shown(sent, from) }];
}
