import { ProviderUnavailableError } from '../../api/errors.ts';
import { isRecord } from '../../api/is-record.ts';
import { crc32 } from './crc32.ts';
import type { EventDecoder, WireEvent } from '../sse-decoder.ts';

/** Length of the whole, length of the headers, checksum of both; and the checksum at the end. */
const PRELUDE = 12;
const TRAILER = 4;
/** The format's own bound on one message. */
const LONGEST = 24 * 1024 * 1024;

/** Bytes of a header's value by its type; strings and byte arrays carry their length. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const BYTES = 6;
const STRING = 7;

/** The exceptions of Bedrock's runtime by the API's own types. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
  validationException: 'invalid_request_error',
  internalServerException: 'api_error',
  modelStreamErrorException: 'api_error',
};

/**
 * Bedrock's streams: binary messages with headers, a payload and checksums, in each of them one event of the API as JSON
 * in base64. An exception becomes the API's `error` event.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html for the framing
 */
export class AwsDecoder implements EventDecoder {
  #rest: Buffer = Buffer.alloc(0);

  /** @throws {ProviderUnavailableError} on a message that is not what its checksums or lengths say. */
  push(bytes: Uint8Array): WireEvent[] {
    let rest = Buffer.concat([this.#rest, bytes]);
    const events: WireEvent[] = [];
    while (rest.length >= PRELUDE) {
      const length = rest.readUInt32BE(0);
      if (crc32(rest.subarray(0, 8)) !== rest.readUInt32BE(8)) throw broken('the checksum of a prelude');
      if (length < PRELUDE + TRAILER || length > LONGEST) throw broken('the length of a message');
      if (rest.length < length) break;
      events.push(...eventOf(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    this.#rest = rest;
    return events;
  }

  end(): WireEvent[] {
    if (this.#rest.length > 0) throw broken('a message that breaks off');
    return [];
  }
}

function eventOf(message: Buffer): WireEvent[] {
  const end = message.length - TRAILER;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end))
    throw broken('the checksum of a message');
  const from = PRELUDE + message.readUInt32BE(4);
  if (from > end) throw broken('the length of the headers');
  const headers = headersOf(message.subarray(PRELUDE, from));
  const payload = jsonOf(message.subarray(from, end).toString('utf8'));
  if (headers[':message-type'] === 'exception') {
    return [errorEvent(headers[':exception-type'] ?? '', payload['message'])];
  }
  if (headers[':message-type'] === 'error') {
    return [errorEvent(headers[':error-code'] ?? '', headers[':error-message'])];
  }
  const { bytes } = payload;
  if (headers[':event-type'] !== 'chunk' || typeof bytes !== 'string') return [];
  return [{ name: '', data: Buffer.from(bytes, 'base64').toString('utf8') }];
}

/** The headers that are strings; the others are passed over. */
function headersOf(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  let at = 0;
  try {
    while (at < bytes.length) {
      const nameEnd = at + 1 + bytes.readUInt8(at);
      const name = bytes.toString('utf8', at + 1, nameEnd);
      const type = bytes.readUInt8(nameEnd);
      const hasLength = type === STRING || type === BYTES;
      const valueAt = nameEnd + (hasLength ? 3 : 1);
      const size = hasLength ? bytes.readUInt16BE(nameEnd + 1) : VALUE_BYTES[type];
      if (size === undefined) throw broken('the type of a header');
      if (type === STRING) headers[name] = bytes.toString('utf8', valueAt, valueAt + size);
      at = valueAt + size;
    }
  } catch (error) {
    // Else it read over the end.
    throw error instanceof ProviderUnavailableError ? error : broken('the headers');
  }
  if (at !== bytes.length) throw broken('the headers');
  return headers;
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = text === '' ? {} : JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    throw broken('the JSON of a message');
  }
}

function errorEvent(code: string, message: unknown): WireEvent {
  const type = Object.hasOwn(EXCEPTIONS, code) ? EXCEPTIONS[code] : 'api_error';
  const text = typeof message === 'string' && message !== '' ? message : code;
  return { name: 'error', data: JSON.stringify({ type: 'error', error: { type, message: text } }) };
}

function broken(what: string): ProviderUnavailableError {
  return new ProviderUnavailableError(`the upstream's event stream cannot be read: ${what}`);
}
