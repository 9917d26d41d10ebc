import { Components } from '../routing/components.ts';
import type { Shape, Values } from '../routing/route.ts';
import type { Issue } from './errors.ts';
import type { Bounds, Reading } from './validate.ts';

/** What a description says of a field, by which it is read. */
interface Field {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

const described = new Components();

/**
 * Reads the parameters of a query as FastAPI does, in their order, which is the order of their faults. Of a repeated name the
 * last counts, but for lists. A parameter that is at fault is undefined.
 */
export function readQuery<S extends Shape>(shape: S, search: URLSearchParams, reading: Reading): Values<S> {
  const entries = Object.entries(shape).map(([name, schema]) => {
    const field: Field = described.of(schema);
    const texts = search.getAll(name);
    const text = texts.at(-1);
    if (field.type === 'array') return [name, texts];
    return [name, text === undefined ? field.default : read(field, ['query', name], text, reading)];
  });
  return Object.fromEntries(entries) as Values<S>;
}

/** Reads members of a JSON object in the same way. Null says no more than none. */
export function readMembers<S extends Shape>(
  shape: S,
  members: Readonly<Record<string, unknown>>,
  reading: Reading,
): Partial<Values<S>> {
  const entries = Object.entries(shape).flatMap(([name, schema]) => {
    const given = members[name] ?? undefined;
    const value =
      given === undefined ? undefined : read(described.of(schema), ['body', name], given, reading);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as Partial<Values<S>>;
}

function read(field: Field, loc: Issue['loc'], value: unknown, reading: Reading): unknown {
  if (field.enum !== undefined) return reading.literal(loc, value, field.enum);
  const bounds: Bounds = {
    ...(field.minimum === undefined ? {} : { ge: field.minimum }),
    ...(field.maximum === undefined ? {} : { le: field.maximum }),
  };
  if (field.type === 'number') return reading.float(loc, value, bounds);
  return field.type === 'integer' ? reading.int(loc, value, bounds) : value;
}
