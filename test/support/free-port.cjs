/**
 * Free ports for processes that have to know theirs before they start. It is CommonJS, as both the tests and the script that runs
 * them all load it.
 */
'use strict';

const { randomInt } = require('node:crypto');
const { createServer } = require('node:net');

/** The system gives ports above these to whoever asks for any, so that one could be taken before, or between, two starts. */
const [LOWEST, HIGHEST] = [15_000, 30_000];

/**
 * A port of loopback that nobody listens on now.
 * @returns {Promise<number>}
 */
async function freePort() {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

module.exports = { freePort };
