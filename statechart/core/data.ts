/**
 * Values that JSON has no form for, as JSON: `{"$type": "Date", "value": "2026-01-01T00:00:00.000Z"}`. Plain JSON stays as it
 * is, so that what other clients write and read needs no codec.
 */

/** A value that cannot be kept, with its place, such as `context.order.total`. */
export class DataError extends Error {
  override readonly name = 'DataError';
  readonly path: string;
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.path = path;
  }
}

/** Writes and reads what only the surroundings know: the addresses of actors. */
export interface ReferenceCodec {
  /** The address of an actor reference; undefined for anything else. */
  readonly encode: (value: object) => unknown;
  /** Gives the actor reference of an address to `assign`, at once or once it exists. */
  readonly decode: (address: unknown, assign: (reference: unknown) => void) => void;
}

const NO_REFERENCES: ReferenceCodec = { encode: () => undefined, decode: (_, assign) => assign(undefined) };

const TYPED_ARRAYS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const;

type TypedArray = InstanceType<(typeof TYPED_ARRAYS)[keyof typeof TYPED_ARRAYS]>;

/**
 * Makes JSON of a value. Date, Map, Set, BigInt, typed arrays, ArrayBuffer, URL, RegExp, Error, undefined, NaN, the infinities
 * and actor references are kept; the value itself is answered when it is plain JSON already.
 *
 * @throws DataError for a function, a symbol, a promise, an instance of a class, or a circle, with its place below `where`.
 */
export function encodeData(
  value: unknown,
  where: string,
  references: ReferenceCodec = NO_REFERENCES,
): unknown {
  return encode(value, where, references, []);
}

/**
 * Undoes {@link encodeData}. A malformed form is answered as the plain object that it is, and the value itself when there is
 * nothing to undo.
 */
export function decodeData(value: unknown, references: ReferenceCodec = NO_REFERENCES): unknown {
  if (!hasTag(value)) return value;
  let result: unknown;
  decode(value, references, (decoded) => {
    result = decoded;
  });
  return result;
}

const tagged = (type: string, value?: unknown): object =>
  value === undefined ? { $type: type } : { $type: type, value };

function encode(
  value: unknown,
  where: string,
  references: ReferenceCodec,
  above: readonly object[],
): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : tagged('number', Object.is(value, -0) ? '-0' : String(value));
    case 'undefined':
      return tagged('undefined');
    case 'bigint':
      return tagged('BigInt', String(value));
    case 'function':
    case 'symbol':
      throw new DataError(where, `a ${typeof value} cannot be kept`);
    case 'object':
      if (value === null) return null;
      if (above.includes(value)) throw new DataError(where, 'a value that contains itself cannot be kept');
      return encodeObject(value, where, references, [...above, value]);
  }
}

function encodeObject(
  value: object,
  where: string,
  references: ReferenceCodec,
  above: readonly object[],
): unknown {
  const below = (part: unknown, place: string): unknown => encode(part, place, references, above);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => below(item, `${where}[${index}]`));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const address = references.encode(value);
  if (address !== undefined) return tagged('Actor', address);
  if (value instanceof Date) {
    return tagged('Date', Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString());
  }
  if (value instanceof Map) {
    const entries = [...value].map(([key, item], index) => [
      below(key, `${where} (key ${index})`),
      below(item, `${where}.get(${String(key)})`),
    ]);
    return tagged('Map', entries);
  }
  if (value instanceof Set) {
    return tagged(
      'Set',
      [...value].map((item, index) => below(item, `${where} (value ${index})`)),
    );
  }
  if (value instanceof Error) return tagged('Error', encodeError(value, below, where));
  if (value instanceof RegExp) return tagged('RegExp', [value.source, value.flags]);
  if (value instanceof ArrayBuffer) return tagged('ArrayBuffer', toBase64(new Uint8Array(value)));
  if (ArrayBuffer.isView(value)) return encodeView(value, where);
  if (isUrl(value)) return tagged('URL', value.href);
  if (!isPlain(value)) {
    throw new DataError(
      where,
      `an instance of ${value.constructor.name} cannot be kept; keep its data as a plain object`,
    );
  }
  const entries = Object.entries(value);
  const encoded = entries.map(([key, item]) => [key, below(item, `${where}.${key}`)] as const);
  if ('$type' in value) return tagged('Object', encoded);
  return encoded.every(([, item], index) => item === entries[index]?.[1])
    ? value
    : Object.fromEntries(encoded);
}

/** A prototype without a constructor of a name of its own is that of another realm's, or of no class at all. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const isUrl = (value: object): value is { readonly href: string } =>
  value.constructor.name === 'URL' && 'href' in value && typeof value.href === 'string';

function encodeView(view: ArrayBufferView, where: string): object {
  const type = view.constructor.name;
  if (!(type in TYPED_ARRAYS)) throw new DataError(where, `a ${type} cannot be kept`);
  return tagged(type, toBase64(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
}

function encodeError(
  error: Error,
  below: (part: unknown, place: string) => unknown,
  where: string,
): Record<string, unknown> {
  const fields = Object.entries(error).filter(
    ([key]) => !['name', 'message', 'stack', 'cause'].includes(key),
  );
  return {
    name: error.name,
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined ? {} : { cause: below(error.cause, `${where}.cause`) }),
    ...(fields.length === 0
      ? {}
      : {
          fields: Object.fromEntries(fields.map(([key, item]) => [key, below(item, `${where}.${key}`)])),
        }),
  };
}

/** Whether some part of the value may be an encoded one. */
function hasTag(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasTag);
  if (!isPlain(value)) return false;
  if ('$type' in value) return true;
  for (const key in value) if (hasTag((value as Readonly<Record<string, unknown>>)[key])) return true;
  return false;
}

function decode(value: unknown, references: ReferenceCodec, assign: (decoded: unknown) => void): void {
  // What is no plain object was never encoded.
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlain(value))) {
    assign(value);
  } else if (Array.isArray(value)) {
    const items: unknown[] = [...(value as unknown[])];
    items.forEach((item, index) => {
      decode(item, references, (decoded) => {
        items[index] = decoded;
      });
    });
    assign(items);
  } else if ('$type' in value && typeof value.$type === 'string') {
    decodeTagged(value.$type, 'value' in value ? value.value : undefined, value, references, assign);
  } else {
    assign(decodeEntries(Object.entries(value), references));
  }
}

function decodeEntries(
  entries: readonly (readonly [string, unknown])[],
  references: ReferenceCodec,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of entries) {
    // A key such as __proto__ must become a property, and the order of keys must not hang on when a reference comes.
    Object.defineProperty(result, key, {
      value: undefined,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    decode(item, references, (decoded) => {
      Object.defineProperty(result, key, {
        value: decoded,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    });
  }
  return result;
}

function decodeTagged(
  type: string,
  value: unknown,
  whole: object,
  references: ReferenceCodec,
  assign: (decoded: unknown) => void,
): void {
  const decoded = (part: unknown): unknown => decodeData(part, references);
  switch (type) {
    case 'Actor':
      references.decode(value, assign);
      return;
    case 'undefined':
      assign(undefined);
      return;
    case 'number':
      assign(Number(value));
      return;
    case 'BigInt':
      assign(BigInt(String(value)));
      return;
    case 'Date':
      assign(new Date(String(value)));
      return;
    case 'RegExp':
      assign(new RegExp(...(value as [string, string])));
      return;
    case 'URL':
      assign(new URL(String(value)));
      return;
    case 'Map': {
      const map = new Map<unknown, unknown>();
      for (const [key, item] of value as [unknown, unknown][]) {
        const name = decoded(key);
        map.set(name, undefined);
        decode(item, references, (part) => map.set(name, part));
      }
      assign(map);
      return;
    }
    case 'Set': {
      const items: unknown[] = [...(value as unknown[])];
      const set = new Set<unknown>();
      const refill = (): void => {
        set.clear();
        for (const item of items) set.add(item);
      };
      items.forEach((item, index) => {
        decode(item, references, (part) => {
          items[index] = part;
          refill();
        });
      });
      refill();
      assign(set);
      return;
    }
    case 'Error':
      assign(decodeError(value as EncodedError, decoded));
      return;
    case 'ArrayBuffer':
      assign(fromBase64(String(value)).buffer);
      return;
    case 'Object':
      assign(decodeEntries(value as [string, unknown][], references));
      return;
    default:
      assign(
        type in TYPED_ARRAYS
          ? decodeView(type as keyof typeof TYPED_ARRAYS, String(value))
          : decodeEntries(Object.entries(whole), references),
      );
  }
}

function decodeView(type: keyof typeof TYPED_ARRAYS, value: string): TypedArray {
  const { buffer } = fromBase64(value);
  return new TYPED_ARRAYS[type](buffer);
}

/** An error as JSON. */
export interface EncodedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: unknown;
  readonly fields?: Readonly<Record<string, unknown>>;
}

const ERRORS = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError } as const;

function decodeError(encoded: EncodedError, decoded: (part: unknown) => unknown): Error {
  const { name, message, stack, cause, fields = {} } = encoded;
  const known = name in ERRORS ? ERRORS[name as keyof typeof ERRORS] : Error;
  const error = new known(message, cause === undefined ? {} : { cause: decoded(cause) });
  const hidden = { writable: true, enumerable: false, configurable: true };
  if (error.name !== name) Object.defineProperty(error, 'name', { ...hidden, value: name });
  if (stack !== undefined) Object.defineProperty(error, 'stack', { ...hidden, value: stack });
  for (const [key, field] of Object.entries(fields)) Reflect.set(error, key, decoded(field));
  return error;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// Neither Buffer nor btoa exists in a workflow.
function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += DIGITS.charAt(bits >> 18) + DIGITS.charAt((bits >> 12) & 63);
    text += b === undefined ? '=' : DIGITS.charAt((bits >> 6) & 63);
    text += c === undefined ? '=' : DIGITS.charAt(bits & 63);
  }
  return text;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replaceAll('=', '');
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const digit of digits) {
    bits = ((bits << 6) | DIGITS.indexOf(digit)) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >> held) & 0xff;
    }
  }
  return bytes;
}
