import { ProviderUnavailableError } from '../../api/errors.ts';
import type { StreamEvent } from '../../api/api-types.ts';
import { StreamGrammar } from '../../stream/stream-grammar.ts';
import { AwsDecoder } from './aws-decoder.ts';
import type { Deadline } from '../deadline.ts';
import { SseDecoder, type EventDecoder, type WireEvent } from '../sse-decoder.ts';
import { fromErrorEvent } from './anthropic-errors.ts';

/** How long an upstream may take to close a stream after its last event. */
const CLOSING_MS = 1000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Reads the events of a streamed answer and checks their order. Bytes are read on demand, so a slow reader slows the
 * upstream down.
 *
 * @throws {ApiError} for an `error` event; `ProviderUnavailableError` for an answer that is not a stream, cannot be
 * read, is out of order or breaks off
 */
export async function* replyStream(response: Response, deadline: Deadline): AsyncGenerator<StreamEvent> {
  const decoder = decoderOf(response);
  const reader = response.body?.getReader() as Reader | undefined;
  if (reader === undefined) throw new ProviderUnavailableError("the upstream's answer is empty");
  const grammar = new StreamGrammar();
  for (;;) {
    const { done, value } = await deadline.waitFor(reader.read());
    for (const wire of done ? decoder.end() : decoder.push(value)) {
      const event = eventOf(wire);
      if (event === undefined) continue;
      const taken = grammar.take(event);
      if (!grammar.isComplete) yield taken;
      else {
        void close(reader, deadline);
        yield taken;
        return;
      }
    }
    if (done) grammar.end();
  }
}

function decoderOf(response: Response): EventDecoder {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('application/vnd.amazon.eventstream')) return new AwsDecoder();
  if (type.includes('text/event-stream')) return new SseDecoder();
  throw new ProviderUnavailableError(
    `the upstream did not stream its answer: content-type ${type || 'missing'}`,
  );
}

/** Parses an event; undefined for a ping, whatever its name. */
function eventOf({ name, data }: WireEvent): unknown {
  if (name === 'ping') return undefined;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch (cause) {
    if (name === 'error') throw fromErrorEvent(data);
    throw new ProviderUnavailableError("the upstream's stream holds an event that is no JSON", { cause });
  }
  const type = (event as { type?: unknown } | null)?.type;
  if (name === 'error' || type === 'error') throw fromErrorEvent(event);
  return type === 'ping' ? undefined : event;
}

/** Reads the answer to its end, so that the connection can be used again. Nobody waits for this. */
async function close(reader: Reader, deadline: Deadline): Promise<void> {
  const late = setTimeout(deadline.abort, CLOSING_MS).unref();
  try {
    while (!(await reader.read()).done);
  } catch {
    // The reply is complete, so a fault does not matter.
  } finally {
    clearTimeout(late);
    deadline.clear();
  }
}
