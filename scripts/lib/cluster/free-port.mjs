import net from 'node:net';

/** Below those that Linux gives to outgoing connections; Temporal's tables in PostgreSQL hold no port from 32768. */
const FIRST = 12_000;
const LAST = 31_999;

/**
 * A port that nobody listens on at this moment. Another process may take it before its use; parts that cannot listen say so and
 * are started again.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (await isFree(port)) return port;
  }
}

/** @type {(port: number) => Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
