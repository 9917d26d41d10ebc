import type { Response } from 'express';
import { timeSlices } from '@steadyhand/sessions';

/** How often a silent stream says that it is alive. Proxies commonly cut after 30 or 60 s of silence. */
const HEARTBEAT_MS = 15_000;
/** As the API sends it. Named, because the official clients skip `ping` by name. */
const PING = 'event: ping\ndata: {"type": "ping"}\n\n';
/** Characters that one write gathers at most. */
const WRITE = 64 * 1024;

/** Why a stream's signal is aborted. A reason at hand, because one that the signal makes itself costs a stack trace. */
const ENDED = 'the stream has ended';

/** A part of a stream's text. */
export type Piece = string | Uint8Array;

/** Server-sent events on one answer. */
export interface EventStream {
  /**
   * Sends one event; resolves when the client has room for more. `id` is what a browser sends back as `Last-Event-ID`.
   */
  send(event: { readonly type: string; readonly data: unknown; readonly id?: string }): Promise<void>;
  /**
   * Sends events that are in the stream's form already, a piece at a time and none before the client has room for it. A piece
   * need not be a whole event: nothing else is written in between.
   */
  sendPieces(pieces: Iterable<Piece> | AsyncIterable<Piece>): Promise<void>;
  /** Says that the stream is alive, as it does by itself when it is silent. */
  ping(): void;
  /** Aborted when the client went away or the stream was ended. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Turns the answer into a stream of events.
 * @param signal ends the stream from outside (the server drains)
 */
export function openEventStream(
  res: Response,
  signal?: AbortSignal,
  heartbeatMs = HEARTBEAT_MS,
): EventStream {
  const ended = new AbortController();
  const writer = new Writer(res);
  const end = (): void => {
    if (ended.signal.aborted) return;
    ended.abort(ENDED);
    writer.flush();
    res.end();
  };
  res.status(200).set({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // nginx holds answers back otherwise
    'x-accel-buffering': 'no',
  });
  // The first event is often here by then, and goes in one packet with the headers.
  process.nextTick(() => {
    writer.flush();
    if (!res.headersSent) res.flushHeaders();
  });
  let isWithin = false;
  const ping = (): void => {
    if (!ended.signal.aborted && !isWithin && !writer.isFull) writer.write(PING);
  };
  const heartbeat = setInterval(ping, heartbeatMs);
  signal?.addEventListener('abort', end, { once: true });
  const closed = (): void => {
    clearInterval(heartbeat);
    signal?.removeEventListener('abort', end);
    ended.abort(ENDED);
    writer.release();
  };
  // The client may have left while the first event was waited for.
  if (res.closed) closed();
  else res.once('close', closed);
  if (signal?.aborted) end();

  return {
    signal: ended.signal,
    end,
    ping,
    send: async ({ type, data, id }) => {
      if (writer.isFull) await writer.room();
      if (ended.signal.aborted) return;
      heartbeat.refresh();
      const idLine = id === undefined ? '' : `id: ${id}\n`;
      // JSON never contains a raw line break, so one data line holds it all.
      writer.write(`${idLine}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      if (writer.isFull) await writer.room();
    },
    sendPieces: async (pieces) => {
      isWithin = true;
      try {
        for await (const piece of pieces) {
          if (ended.signal.aborted) return;
          heartbeat.refresh();
          await timeSlices.run(() => writer.writeNow(piece));
          if (writer.isFull) await writer.room();
        }
      } finally {
        isWithin = false;
      }
    },
  };
}

/** Gathers what is written in one turn of the event loop: a burst of events costs one system call, and none waits. */
class Writer {
  readonly #res: Response;
  #pending = '';
  #room: Promise<void> | undefined;
  #release: (() => void) | undefined;

  constructor(res: Response) {
    this.#res = res;
  }

  /** Whether the client has yet to take what was written. */
  get isFull(): boolean {
    return this.#room !== undefined;
  }

  async room(): Promise<void> {
    await this.#room;
  }

  write(text: string): void {
    if (this.#pending === '') process.nextTick(() => this.flush());
    this.#pending += text;
    if (this.#pending.length >= WRITE) this.flush();
  }

  /** Writes what was gathered, then this. */
  writeNow(piece: Piece): void {
    this.flush();
    this.#give(piece);
  }

  flush(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') this.#give(text);
  }

  #give(piece: Piece): void {
    const { destroyed, writableEnded } = this.#res;
    // Nobody would ever tell of room on a connection that is gone.
    if (destroyed || writableEnded || this.#res.write(piece)) return;
    if (this.#room !== undefined) return;
    this.#room = new Promise((resolve) => {
      this.#release = resolve;
    });
    this.#res.once('drain', () => this.release());
  }

  /** Lets those go on who wait for room. */
  release(): void {
    this.#release?.();
    this.#room = undefined;
    this.#release = undefined;
  }
}
