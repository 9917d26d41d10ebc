import type { Datatype, TensorData } from '@steadyhand/inference';
import { MAX_JSON_VALUES } from '../../body/json-reader.ts';
import { RequestRefusedError } from '../../body/request-refused.ts';
import type { Pace } from '../../http/pacing.ts';
import { numberToHalf } from '../half.ts';
import { ARRAYS } from '../tensor-bytes.ts';

/** Values taken over before others have a look in. */
const SLICE = 32_768;

const INTEGERS = {
  UINT8: [0, 255],
  UINT16: [0, 65_535],
  UINT32: [0, 4_294_967_295],
  INT8: [-128, 127],
  INT16: [-32_768, 32_767],
  INT32: [-2_147_483_648, 2_147_483_647],
} as const satisfies Partial<Record<Datatype, readonly [number, number]>>;

/**
 * The values of a tensor's `data` in JSON, nested as the shape is or flat, row-major.
 * Throws RequestRefusedError (400) where a value does not fit the datatype or their number not the shape.
 */
export async function fromJson(
  datatype: Datatype,
  data: readonly unknown[],
  count: number,
  field: string,
  pace: Pace,
): Promise<TensorData> {
  // Before room is made for them: a shape is easily written.
  if (count > MAX_JSON_VALUES) {
    throw new RequestRefusedError(
      400,
      `${field}: more than ${MAX_JSON_VALUES} elements as JSON; send them in binary`,
    );
  }
  const take = takerOf(datatype, field);
  const target: { [index: number]: unknown } = datatype === 'BYTES' ? [] : new ARRAYS[datatype](count);
  let index = 0;
  for (const value of leaves(data)) {
    if (index < count) target[index] = take(value, index);
    index += 1;
    if (index % SLICE === 0) await pace();
  }
  if (index !== count) {
    throw new RequestRefusedError(400, `${field}: data has ${index} elements, its shape ${count}`);
  }
  return target as TensorData;
}

/** Not recursive by generators: a level more would double the work for each value. */
function* leaves(data: readonly unknown[]): Generator<unknown> {
  const stack: { readonly list: readonly unknown[]; at: number }[] = [{ list: data, at: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (top.at === top.list.length) {
      stack.pop();
      continue;
    }
    const value = top.list[top.at];
    top.at += 1;
    if (Array.isArray(value)) stack.push({ list: value, at: 0 });
    else yield value;
  }
}

function takerOf(datatype: Datatype, field: string): (value: unknown, index: number) => unknown {
  const refuse = (index: number, value: unknown): never => {
    throw new RequestRefusedError(400, `${field}: data[${index}] is ${shown(value)}, expected ${datatype}`);
  };
  switch (datatype) {
    case 'FP32':
    case 'FP64':
      return (value, index) => number(value) ?? refuse(index, value);
    case 'FP16':
      return (value, index) => numberToHalf(number(value) ?? refuse(index, value));
    case 'BOOL':
      return (value, index) => {
        if (value === true || value === 1) return 1;
        return value === false || value === 0 ? 0 : refuse(index, value);
      };
    case 'BYTES':
      return (value, index) => (typeof value === 'string' ? value : refuse(index, value));
    case 'INT64':
    case 'UINT64': {
      const wrap = (big: bigint): bigint =>
        datatype === 'INT64' ? BigInt.asIntN(64, big) : BigInt.asUintN(64, big);
      return (value, index) => {
        const whole = typeof value === 'bigint' || Number.isSafeInteger(value);
        const big = whole ? BigInt(value as bigint | number) : refuse(index, value);
        return wrap(big) === big ? big : refuse(index, value);
      };
    }
    default: {
      const [min, max] = INTEGERS[datatype];
      return (value, index) =>
        Number.isInteger(value) && Number(value) >= min && Number(value) <= max
          ? value
          : refuse(index, value);
    }
  }
}

function number(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
