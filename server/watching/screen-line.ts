import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';

/** Beyond this what is on its way to a viewer waits in the sandbox. */
const HIGH_WATER = 1024 * 1024;
const PING_MS = 20_000;
/** WebSocket's own codes: gone away; the other side failed. */
const NORMAL = 1000;
const FAILED = 1011;

/** Joins a viewer's WebSocket with the line to a screen until either ends; neither is read faster than the other takes. */
export function joinScreen(socket: WebSocket, screen: Duplex): void {
  let answered = true;
  const beat = setInterval(() => {
    // A viewer whose machine is gone says nothing: a takeover of its must not last for ever.
    if (!answered) socket.terminate();
    answered = false;
    socket.ping();
  }, PING_MS);
  socket.on('pong', () => (answered = true));
  socket.on('message', (data: RawData) => {
    if (!screen.write(bytesOf(data))) socket.pause();
  });
  screen.on('drain', () => socket.resume());
  screen.on('data', (chunk: Buffer) => {
    socket.send(chunk, () => {
      if (socket.bufferedAmount < HIGH_WATER) screen.resume();
    });
    if (socket.bufferedAmount > HIGH_WATER) screen.pause();
  });
  const end = (code: number): void => {
    clearInterval(beat);
    screen.destroy();
    socket.close(code);
  };
  screen.once('end', () => end(NORMAL));
  screen.once('close', () => end(NORMAL));
  screen.once('error', () => end(FAILED));
  socket.once('close', () => end(NORMAL));
  socket.on('error', () => socket.terminate());
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
