import type { Response } from 'express';

/** How often a silent stream says that it is alive. Proxies commonly cut after 30 or 60 s of silence. */
const HEARTBEAT_MS = 15_000;

/** Server-sent events on one answer. */
export interface EventStream {
  /**
   * Sends one event; resolves when the client has room for more. `id` is what a browser sends back as `Last-Event-ID`.
   */
  send(event: { readonly type: string; readonly data: unknown; readonly id?: string }): Promise<void>;
  /** Aborted when the client went away or the stream was ended. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Turns the answer into a stream of events.
 * @param signal ends the stream from outside (the server drains)
 */
export function openEventStream(res: Response, signal: AbortSignal, heartbeatMs = HEARTBEAT_MS): EventStream {
  const ended = new AbortController();
  const end = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    res.end();
  };
  res.status(200).set({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // nginx holds answers back otherwise
    'x-accel-buffering': 'no',
  });
  res.flushHeaders();
  // Named, because the official clients skip `ping` by name; a comment line would do for browsers alone.
  const heartbeat = setInterval(() => res.write('event: ping\ndata: {"type": "ping"}\n\n'), heartbeatMs);
  signal.addEventListener('abort', end, { once: true });
  res.once('close', () => {
    clearInterval(heartbeat);
    signal.removeEventListener('abort', end);
    ended.abort();
  });
  if (signal.aborted) end();

  return {
    signal: ended.signal,
    end,
    send: async ({ type, data, id }) => {
      if (ended.signal.aborted) return;
      const idLine = id === undefined ? '' : `id: ${id}\n`;
      // JSON never contains a raw line break, so one data line holds it all.
      const flowing = res.write(`${idLine}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      if (flowing) return;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          res.off('drain', go);
          ended.signal.removeEventListener('abort', go);
          resolve();
        };
        res.once('drain', go);
        ended.signal.addEventListener('abort', go, { once: true });
      });
    },
  };
}
