import type { Shape, Values } from '../http/route.ts';
import { Components } from '../openapi/components.ts';
import type { Bounds, Reading } from './validate.ts';

/** What a description says of a parameter, by which it is read. */
interface Parameter {
  readonly type?: string;
  readonly enum?: readonly string[];
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
  const read = (name: string, field: S[string]): unknown => {
    const parameter: Parameter = described.of(field);
    const texts = search.getAll(name);
    const text = texts.at(-1);
    if (parameter.type === 'array') return texts;
    if (text === undefined) return parameter.default;
    const loc = ['query', name];
    if (parameter.enum !== undefined) return reading.literal(loc, text, parameter.enum);
    const { minimum, maximum } = parameter;
    const bounds: Bounds = {
      ...(minimum === undefined ? {} : { ge: minimum }),
      ...(maximum === undefined ? {} : { le: maximum }),
    };
    if (parameter.type === 'number') return reading.float(loc, text, bounds);
    return parameter.type === 'integer' ? reading.int(loc, text, bounds) : text;
  };
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, read(name, field as S[string])]),
  ) as Values<S>;
}
