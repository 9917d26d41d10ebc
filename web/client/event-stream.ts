import { addressOf, type SessionEvent } from './api.ts';
import { request } from './request.ts';

/** One event of a server-sent event stream. */
interface ServerSentEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

/** The wait before the next attempt, by the number of failed ones. */
const BACKOFF_MS = [500, 1000, 2000, 5000, 10_000];

interface StreamListener<E> {
  /** The stream is open and brings every event from now on. Called again after every reconnection. */
  readonly opened: () => void;
  readonly event: (event: E) => void;
  /** The connection is lost; another attempt follows unless the signal is aborted. */
  readonly lost: (error: unknown) => void;
}

/** What is shown while the model writes it. */
const PREVIEWED = ['agent.message', 'agent.thinking.text', 'agent.tool_use', 'agent.custom_tool_use'];

/** Follows a session's events, and previews of those that the model is writing, and reconnects for ever. */
export function followEvents<E = SessionEvent>(
  id: string,
  listener: StreamListener<E>,
  signal: AbortSignal,
): Promise<void> {
  const address = addressOf('GET /v1/sessions/{id}/events/stream', {
    params: { id },
    query: { sources: 'url' },
  });
  const previews = PREVIEWED.map((type) => `&event_deltas=${type}`).join('');
  return followStream((headers) => request(address + previews, { signal, headers }), listener, signal);
}

/**
 * Follows a stream of server-sent events until the signal aborts, and reconnects for ever; each time it goes on after the last
 * event that had an id. The browser's EventSource does not serve, because it can send no key.
 */
export async function followStream<E>(
  open: (headers: Readonly<Record<string, string>>) => Promise<Response>,
  listener: StreamListener<E>,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  for (let failures = 0; !signal.aborted;) {
    try {
      const response = await open(lastId === undefined ? {} : { 'last-event-id': lastId });
      failures = 0;
      listener.opened();
      for await (const { id: eventId, type, data } of serverSentEvents(response)) {
        if (eventId !== undefined) lastId = eventId;
        if (type !== 'ping') listener.event(JSON.parse(data) as E);
      }
      throw new Error('The server ended the stream.');
    } catch (error) {
      if (signal.aborted) return;
      listener.lost(error);
      await delay(BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)] ?? 0, signal);
    }
  }
}

async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent, void, void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const event = parseEvent(part);
      if (event !== undefined) yield event;
    }
  }
}

function parseEvent(text: string): ServerSentEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
  }
  const data = fields.get('data');
  return data === undefined
    ? undefined
    : { id: fields.get('id'), type: fields.get('event') ?? 'message', data };
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
