import { isRecord } from '../../api/is-record.ts';
import { SseDecoder } from '../sse-decoder.ts';

/** Reads the data of each server-sent event. The rest at the end of the stream counts as an event. */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new SseDecoder();
  for await (const chunk of bytes) {
    for (const { data } of decoder.push(chunk)) yield data;
  }
  for (const { data } of decoder.end()) yield data;
}

/** Finds the `error` of an answer or an event, if there is one. */
export function errorOf(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { error } = value;
  if (error != null && error !== false) return error;
  return value['object'] === 'error' ? value : undefined;
}
