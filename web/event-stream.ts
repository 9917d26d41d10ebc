import { ask, type SessionEvent } from './api.ts';

/** What a server-sent event stream holds, piece by piece. */
interface Frame {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

/** How long to wait before the next attempt, after how many failed ones. */
const BACKOFF_MS = [500, 1000, 2000, 5000, 10_000];

export interface StreamListener {
  /** The stream is open: what happens from now on will come. Called again after every reconnection. */
  readonly opened: () => void;
  readonly event: (event: SessionEvent) => void;
  /** The connection is gone; another attempt follows by itself unless the signal is aborted. */
  readonly lost: (error: unknown) => void;
}

/**
 * Follows a session's events until the signal aborts, and reconnects for ever. Not the browser's EventSource, which
 * can send no key.
 */
export async function followEvents(id: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  for (let failures = 0; !signal.aborted;) {
    try {
      const response = await ask('GET /v1/sessions/{id}/events/stream', {
        params: { id },
        query: { sources: 'url' },
        signal,
        headers: lastId === undefined ? {} : { 'last-event-id': lastId },
      });
      failures = 0;
      listener.opened();
      for await (const frame of frames(response)) {
        if (frame.id !== undefined) lastId = frame.id;
        if (frame.type !== 'ping') listener.event(JSON.parse(frame.data) as SessionEvent);
      }
      throw new Error('The server ended the stream.');
    } catch (error) {
      if (signal.aborted) return;
      listener.lost(error);
      await delay(BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)] ?? 0, signal);
    }
  }
}

async function* frames(response: Response): AsyncGenerator<Frame, void, void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const frame = parseFrame(part);
      if (frame !== undefined) yield frame;
    }
  }
}

function parseFrame(text: string): Frame | undefined {
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
