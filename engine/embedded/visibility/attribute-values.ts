import type { temporal } from '@temporalio/proto';
import { status } from '@grpc/grpc-js';
import { RpcError, invalidArgument } from '../protocol/rpc-error.ts';
import { jsonPayload } from '../protocol/values.ts';
import { type Attribute, IndexedValueType, typeName } from './attribute-types.ts';
import { goFormat } from './go-format.ts';

type IPayload = temporal.api.common.v1.IPayload;

/** An attribute's value as it is indexed: Int and Datetime (nanoseconds since the epoch) are exact. */
type AttributeValue = string | number | bigint | boolean | readonly string[];

const maxValueBytes = 2048;
export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** A value that no retry makes smaller. */
export class AttributeTooLargeError extends RpcError {
  constructor(name: string, bytes: number) {
    super(
      status.INVALID_ARGUMENT,
      `search attribute ${name} value size ${bytes} exceeds size limit ${maxValueBytes}`,
    );
  }
}

/**
 * Reads an attribute's payload (JSON: a value, or a list of one) as a value of the attribute's type. Answers undefined
 * for null and `[]`, which mean that the run does not have the attribute.
 *
 * @throws RpcError INVALID_ARGUMENT when the payload is not of that type, or too large
 */
export function decodeAttribute(attribute: Attribute, payload: IPayload): AttributeValue | undefined {
  const encoding = text(payload.metadata?.['encoding']);
  if (encoding === 'binary/null') return undefined;
  const data = text(payload.data);
  if (encoding === 'binary/plain') throw mismatch(attribute, [...(payload.data ?? [])]);
  const json = encoding === 'json/plain' ? parse(data) : undefined;
  if (json === undefined) throw mismatch(attribute, `value from <${describePayload(payload)}>`);
  const size = payload.data?.length ?? 0;
  if (size > maxValueBytes) throw new AttributeTooLargeError(attribute.name, size);
  if (json.value === null || (Array.isArray(json.value) && json.value.length === 0)) return undefined;
  const value = convert(attribute.type, json.value, data);
  if (value === undefined) throw mismatch(attribute, json.value);
  return value;
}

/** Makes the payload that a listing shows: the indexed value, not the caller's spelling of it. */
export function encodeAttribute(attribute: Attribute, value: AttributeValue): IPayload {
  const json =
    attribute.type === IndexedValueType.Datetime && typeof value === 'bigint'
      ? JSON.stringify(formatTime(value))
      : stringify(value);
  return jsonPayload(json, typeName(attribute.type));
}

/** Makes the JSON text, with big integers in full. */
export function stringify(value: AttributeValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** Answers the nanoseconds of a time that a query may name: one that fits into 64 bits, from 1677 to 2262. */
export function parseTime(value: string): bigint | undefined {
  const nanos = parseAnyTime(value);
  return nanos === undefined || nanos < int64.min || nanos > int64.max ? undefined : nanos;
}

/** Answers the nanoseconds since the epoch of an RFC 3339 time with its zone; undefined for anything else. */
function parseAnyTime(value: string): bigint | undefined {
  const match = rfc3339.exec(value);
  if (match === null) return undefined;
  const [, seconds = '', fraction = '', zone = ''] = match;
  const local = Date.parse(`${seconds}Z`);
  // Date.parse accepts 31 February as 3 March; a real date is the same after the conversion.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 19) !== seconds) return undefined;
  const millis = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(millis)) return undefined;
  return BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** Formats a time as RFC 3339 in UTC, with as many digits of the second as are needed. */
function formatTime(nanos: bigint): string {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = new Date(Number((nanos - fraction) / 1_000_000n)).toISOString().slice(0, 19);
  const digits = String(fraction).padStart(9, '0').replace(/0+$/, '');
  return digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`;
}

function convert(type: IndexedValueType, json: unknown, source: string): AttributeValue | undefined {
  if (type === IndexedValueType.KeywordList) {
    return Array.isArray(json) ? keywords(json) : undefined;
  }
  if (Array.isArray(json))
    return json.length === 1 ? convert(type, json[0], elementSource(source)) : undefined;
  switch (type) {
    case IndexedValueType.Text:
    case IndexedValueType.Keyword:
      return typeof json === 'string' ? json : undefined;
    case IndexedValueType.Int:
      return typeof json === 'number' ? integer(json, source) : undefined;
    case IndexedValueType.Double:
      return typeof json === 'number' ? json : undefined;
    case IndexedValueType.Bool:
      return typeof json === 'boolean' ? json : undefined;
    case IndexedValueType.Datetime:
      return typeof json === 'string' ? parseAnyTime(json) : undefined;
  }
}

/** Reads a list of texts as the server does: null is the empty text, and a list of lists is one. */
function keywords(items: readonly unknown[]): readonly string[] | undefined {
  const all: readonly unknown[] = items.every((item) => Array.isArray(item)) ? items.flat() : items;
  const texts = all.map((item) => item ?? '');
  return texts.every((item): item is string => typeof item === 'string') ? texts : undefined;
}

/** Answers a JSON number as an exact int64, because JavaScript's own reading loses digits beyond 2^53. */
function integer(value: number, source: string): bigint | undefined {
  const digits = source.trim();
  // `1.0` and `1e3` are no integers to the server.
  if (!Number.isInteger(value) || !/^-?\d+$/.test(digits)) return undefined;
  const exact = BigInt(digits);
  return exact < int64.min || exact > int64.max ? undefined : exact;
}

/** Answers the source text of a JSON list's only element. */
function elementSource(source: string): string {
  return source.trim().slice(1, -1);
}

function parse(data: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return value === Infinity || value === -Infinity ? undefined : { value };
  } catch {
    return undefined;
  }
}

function mismatch(attribute: Attribute, value: unknown): Error {
  return invalidArgument(
    `invalid value for search attribute ${attribute.name} of type ${typeName(attribute.type)}: ${goFormat(value)}`,
  );
}

function describePayload(payload: IPayload): string {
  const quote = (bytes: Uint8Array): string => JSON.stringify(text(bytes));
  const metadata = Object.entries(payload.metadata ?? {}).map(
    ([key, value]) => `metadata:{key:${JSON.stringify(key)}  value:${quote(value)}}`,
  );
  return [...metadata, ...(payload.data?.length ? [`data:${quote(payload.data)}`] : [])].join('  ');
}

function text(bytes: Uint8Array | null | undefined): string {
  return bytes == null ? '' : Buffer.from(bytes).toString('utf8');
}

/**
 * Makes the words of a text as full-text search uses them (letters and digits in lower case, without accents), each
 * with a blank before and after it: a text has a phrase if the phrase's words are part of the text's.
 */
export function spacedWords(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return ` ${(plain.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}
