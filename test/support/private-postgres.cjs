/**
 * A PostgreSQL server of one's own, for tests. It is CommonJS, as both the tests and the script that runs them all load it.
 */
'use strict';

const { execFileSync, spawn } = require('node:child_process');
const { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const pg = require('pg');
const { freePort } = require('./free-port.cjs');

/** Where Debian has the programs of each major version. */
const VERSIONS = '/usr/lib/postgresql';

const PROGRAMS = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => path.join(VERSIONS, version, 'bin'))
      .find((bin) => existsSync(path.join(bin, 'initdb')))
  : undefined;

/** PostgreSQL does not run as root. */
const USER = process.getuid?.() === 0 ? (idsOf('postgres') ?? idsOf('nobody')) : undefined;

/**
 * Why no private server can be had; undefined where one can.
 * @type {string | undefined}
 */
const privateMissing =
  PROGRAMS === undefined ? "PostgreSQL is not installed (Debian's package postgresql)" : undefined;

/**
 * @typedef {object} PrivatePostgres
 * @property {string} url of its first database
 * @property {() => Promise<void>} crash kills its processes, as a crash of the machine would
 * @property {() => Promise<void>} start starts it again, on the same port
 * @property {() => Promise<void>} close
 */

/**
 * Starts a server in a folder that goes with it; it ends with this process at the latest. Unless it is `durable`, what it has
 * committed may be lost with the machine, but not with its own end.
 * @param {{ readonly durable?: boolean }} [options]
 * @returns {Promise<PrivatePostgres>}
 */
async function startPrivatePostgres({ durable = false } = {}) {
  const bin = PROGRAMS;
  if (bin === undefined) throw new Error(privateMissing);
  const dir = mkdtempSync(path.join(tmpdir(), 'steadyhand-postgres-'));
  if (USER !== undefined) chownSync(dir, USER.uid, USER.gid);
  const data = path.join(dir, 'data');
  const options = { cwd: dir, ...USER };
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
  execFileSync(path.join(bin, 'initdb'), [...init, '--no-sync', '--no-instructions'], {
    ...options,
    stdio: 'pipe',
  });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: dir,
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    max_connections: 400,
    shared_buffers: '32MB',
    autovacuum: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server;

  const start = async () => {
    // The shell ends the server when this process is gone, because its standard input ends then.
    const script = '"$@" 2>&1 & server=$!; read -r _; kill -QUIT $server; wait $server';
    server = spawn('sh', ['-c', script, 'sh', path.join(bin, 'postgres'), '-D', data, ...args], {
      ...options,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await untilReady(url);
  };

  const crash = async () => {
    const running = server;
    server = undefined;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.stdin?.end();
    await ended;
  };

  await start();
  return {
    url,
    crash,
    start,
    async close() {
      await crash();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * @param {string} url
 * @param {...string} statements
 */
async function queryPostgres(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** @param {string} url */
async function untilReady(url) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await queryPostgres(url, 'SELECT 1');
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

/** @param {string} user */
function idsOf(user) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

module.exports = { privateMissing, queryPostgres, startPrivatePostgres };
