import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection that was refused is still read: closed with unread bytes, it would be reset, and its answer lost. */
const LINGER_MS = 2000;

/** Answers by the code of the error, as Node gives them by itself; any other is a 400. */
const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers what is no HTTP request, before any route sees it: the connection gets its status, what it goes on sending is
 * thrown away, and it is closed once it has ended or two seconds later. A connection whose answer is under way is closed.
 */
export function answerConnectionErrors(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = answers.get(socket);
    const isUnderWay = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isUnderWay) {
      socket.destroy(error);
      return;
    }
    const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
    // The parser does not get what comes now, which it would refuse again.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  });
}
