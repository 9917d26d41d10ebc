import { isRecord } from '../../api/is-record.ts';
import { SseDecoder } from '../sse-decoder.ts';

/** The data of each event of a server-sent stream, as it comes. One that the stream breaks off in is given as far as it came. */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new SseDecoder();
  for await (const chunk of bytes) {
    for (const { data } of decoder.push(chunk)) yield data;
  }
  for (const { data } of decoder.end()) yield data;
}

/** The `error` of an answer or an event, or undefined. */
export function errorOf(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { error } = value;
  if (error != null && error !== false) return error;
  return value['object'] === 'error' ? value : undefined;
}
