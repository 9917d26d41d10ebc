import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { ApiError } from '@steadyhand/contracts';

/** How long before the cut the answers that still wait are told of it. */
const ENDING_NOTICE_MS = 500;

/**
 * The way a server stops: no new connections, answers under way are finished, open event streams are ended, and after
 * a bound whatever is left is cut.
 */
export interface Drain {
  /** Must see every request first: it knows by them which connections are at work. */
  readonly middleware: RequestHandler;
  /** Aborted when draining begins: long answers end themselves on it. */
  readonly signal: AbortSignal;
  /** Aborted shortly before the bound, with an `ApiError`: an answer that still waits says so rather than break off. */
  readonly ending: AbortSignal;
  /** Ends the server; safe to call twice. Resolves when its last connection is closed. */
  close(boundMs: number): Promise<void>;
}

export function createDrain(server: Server): Drain {
  const controller = new AbortController();
  const ending = new AbortController();
  // One listener an answer is no leak.
  setMaxListeners(0, controller.signal, ending.signal);
  /** Answers under way by connection. Node itself counts a connection that has not asked yet as busy. */
  const connections = new Map<Socket, number>();
  let closing: Promise<void> | undefined;

  server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => connections.delete(socket));
  });

  const stop = async (boundMs: number): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    controller.abort();
    for (const [socket, answers] of connections) if (answers === 0) socket.destroy();
    const cut = setTimeout(() => server.closeAllConnections(), boundMs);
    const last = setTimeout(
      () => ending.abort(new ApiError('overloaded_error', 'the server is shutting down; ask again')),
      Math.max(0, boundMs - ENDING_NOTICE_MS),
    );
    await closed;
    clearTimeout(cut);
    clearTimeout(last);
  };

  return {
    signal: controller.signal,
    ending: ending.signal,
    middleware: (req, res, next) => {
      const { socket } = req;
      connections.set(socket, (connections.get(socket) ?? 0) + 1);
      res.once('close', () => {
        const left = (connections.get(socket) ?? 1) - 1;
        if (connections.has(socket)) connections.set(socket, left);
        // It falls idle only now, too late for the loop above.
        if (left === 0 && controller.signal.aborted) socket.destroySoon();
      });
      if (controller.signal.aborted) res.setHeader('connection', 'close');
      next();
    },
    close: (boundMs) => (closing ??= stop(boundMs)),
  };
}
