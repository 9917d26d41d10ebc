import fs from 'node:fs';
import path from 'node:path';
import { bound } from './bound.mjs';

/** @typedef {{ readonly host: string, readonly port: number }} Address */

/** What a process of the product says on its standard output when it serves. */
const READY = /^Steadyhand .*ready on /m;

/**
 * A server, worker or inference process of the product.
 * @param {{ root: string, role: string, dir: string, at: Address, env: NodeJS.ProcessEnv }} options
 */
export function productPart({ root, role, dir, at, env }) {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  return {
    ...bundled(root, 'main.mjs', `--role=${role}`),
    env: {
      MALLOC_ARENA_MAX: '2',
      UV_USE_IO_URING: '0',
      NODE_ENV: 'production',
      ...env,
      HOST: at.host,
      [role === 'worker' ? 'HEALTH_PORT' : 'PORT']: String(at.port),
      DATA_DIR: path.join(dir, 'data'),
    },
    ready: (/** @type {string} */ since) => READY.test(since),
  };
}

/**
 * A machine of the sandbox pool.
 * @param {{ root: string, dir: string, at: Address, address: string, server: string, token: string, env: NodeJS.ProcessEnv }} options
 */
export function memberPart({ root, dir, at, address, server, token, env }) {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  return {
    ...bundled(root, 'sandbox-member.mjs'),
    env: {
      MALLOC_ARENA_MAX: '2',
      UV_USE_IO_URING: '0',
      ...env,
      SANDBOX_DIR: path.join(dir, 'data'),
      SANDBOX_LISTEN: `${at.host}:${at.port}`,
      SANDBOX_ADDRESS: address,
      SANDBOX_SERVER: server,
      SANDBOX_POOL_TOKEN: token,
    },
    ready: (/** @type {string} */ since) => since.includes('"ready":true'),
  };
}

/**
 * @param {string} root
 * @param {string} file
 * @param {readonly string[]} args
 */
function bundled(root, file, ...args) {
  return {
    command: bound([process.execPath, '--enable-source-maps', path.join(root, 'dist', file), ...args]),
  };
}
