import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A server to use in place of a private one: `postgres://user:password@host:port/database`. */
const GIVEN = process.env['STEADYHAND_TEST_POSTGRES'];
/** Where Debian has the programs of each major version. */
const VERSIONS = '/usr/lib/postgresql';

const PROGRAMS = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin'))
      .find((bin) => existsSync(join(bin, 'initdb')))
  : undefined;

/** PostgreSQL does not run as root. */
const USER = process.getuid?.() === 0 ? (idsOf('postgres') ?? idsOf('nobody')) : undefined;

/** Why no private server can be had; undefined where one can. */
export const privateMissing: string | undefined =
  PROGRAMS === undefined ? "PostgreSQL is not installed (Debian's package postgresql)" : undefined;

/** Why no server can be had; undefined where one can. */
export const postgresMissing: string | undefined =
  GIVEN === undefined && privateMissing !== undefined
    ? `${privateMissing}, and STEADYHAND_TEST_POSTGRES names no server`
    : undefined;

export interface TestPostgres {
  /** Makes an empty database and answers its URL. */
  database(): Promise<string>;
  /** Kills the server's processes, as a crash of the machine would; only where the server is a private one. */
  crash(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The server that STEADYHAND_TEST_POSTGRES names, else a private one, which ends with this process at the latest. */
export async function openPostgres(): Promise<TestPostgres> {
  return GIVEN === undefined ? privatePostgres() : givenPostgres(GIVEN);
}

/**
 * A server of one's own, in a folder that goes with it. Unless it is `durable`, what it has committed may be lost with
 * the machine, but not with its own end.
 */
export async function privatePostgres({ durable = false } = {}): Promise<TestPostgres> {
  const bin = PROGRAMS;
  if (bin === undefined) throw new Error(privateMissing);
  const dir = mkdtempSync(join(tmpdir(), 'steadyhand-postgres-'));
  if (USER !== undefined) chownSync(dir, USER.uid, USER.gid);
  const data = join(dir, 'data');
  const options = { cwd: dir, ...USER };
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
      '--no-instructions',
    ],
    { ...options, stdio: 'pipe' },
  );
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: dir,
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    max_connections: 200,
    shared_buffers: '32MB',
    autovacuum: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    // The shell ends the server when this process is gone, because its standard input ends then.
    const script = '"$@" 2>&1 & server=$!; read -r _; kill -QUIT $server; wait $server';
    server = spawn('sh', ['-c', script, 'sh', join(bin, 'postgres'), '-D', data, ...args], {
      ...options,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await untilReady(url);
  };

  const crash = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.stdin?.end();
    await ended;
  };

  await start();
  return {
    database: () => createDatabase(url),
    crash,
    start,
    async close() {
      await crash();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function givenPostgres(url: string): TestPostgres {
  const made: string[] = [];
  const refuse = async (): Promise<never> => {
    throw new Error('only a private server may be stopped');
  };
  return {
    async database() {
      made.push(await createDatabase(url));
      return made.at(-1) ?? '';
    },
    crash: refuse,
    start: refuse,
    async close() {
      await query(
        url,
        ...made.map((each) => `DROP DATABASE "${new URL(each).pathname.slice(1)}" WITH (FORCE)`),
      );
    },
  };
}

async function createDatabase(url: string): Promise<string> {
  const name = `sh_test_${randomUUID().replaceAll('-', '')}`;
  await query(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`);
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

async function query(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await query(url, 'SELECT 1');
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function idsOf(user: string): { readonly uid: number; readonly gid: number } | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
