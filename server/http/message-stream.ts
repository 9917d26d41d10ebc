import type { Response } from 'express';
import type { StreamEvent } from '@steadyhand/messages';
import { errorBody, toApiError } from './errors.ts';
import { openEventStream } from './event-stream.ts';

/**
 * How long an answer may stay unopened while the first event is waited for. A fault that comes within it is an HTTP error,
 * which clients try again by themselves; after it the client hears pings, so that nothing on the way takes it for dead.
 */
const FIRST_EVENT_MS = 10_000;
/** How long an open answer may go without an event before a ping is sent. */
const PING_MS = 5000;

export interface StreamTiming {
  readonly firstEventMs?: number;
  readonly pingMs?: number;
}

export interface MessageStreamOptions extends StreamTiming {
  /** Called with a fault that could not be answered with a status any more. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Answers with the events of a streamed reply, a ping after the first as the API does. What fails once the answer is open
 * is its last event, `error`. Reads no further than the client does.
 *
 * @throws what the stream throws before the answer is open
 */
export async function sendMessageStream(
  res: Response,
  events: AsyncIterable<StreamEvent>,
  { firstEventMs = FIRST_EVENT_MS, pingMs = PING_MS, failed }: MessageStreamOptions = {},
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  let next = iterator.next();
  await within(next, firstEventMs);
  const stream = openEventStream(res, undefined, pingMs);
  try {
    for (let result = await next; !result.done; result = await next) {
      const event = result.value;
      await stream.send({ type: event.type, data: event });
      if (event.type === 'message_start') stream.ping();
      if (stream.signal.aborted) break;
      next = iterator.next();
    }
  } catch (error) {
    if (!stream.signal.aborted) {
      failed?.(error);
      await stream.send({ type: 'error', data: errorBody(res, toApiError(error)) });
    }
  } finally {
    stream.end();
    // One that threw has ended already; one that was left has not.
    await iterator.return?.();
  }
}

/** Resolves with the promise, or after a while without it. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
