import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.cjs';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say, until } from './support.ts';
import { pacing } from '../support/pacing.ts';

let engine: TestEngine;
let dataDir: string;
let server: Product;
let worker: Product;
/** What `/livez` answered while there was no Temporal service yet. */
const livedEarly: number[] = [];

interface Readiness {
  readonly ready: boolean;
  readonly reason: string | null;
  readonly checks: Readonly<Record<string, { readonly ok: boolean }>>;
}

/** What a process says of its readiness, once it says anything that holds. */
async function readiness(url: string, holds: (told: Readiness) => boolean): Promise<Readiness> {
  const deadline = Date.now() + 300_000;
  const pause = pacing();
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    const told = answer === undefined ? undefined : ((await answer.json()) as Readiness);
    if (told !== undefined && answer?.ok !== told.ready)
      throw new Error(`${answer?.status} with ${told.ready}`);
    if (told !== undefined && holds(told)) return told;
    if (Date.now() > deadline) throw new Error(`waited in vain; last: ${JSON.stringify(told)}`);
    await pause();
  }
}

/** Server and worker as processes of their own, started before the Temporal service, which is neither's. */
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-'));
  const ports = { temporal: await freePort(), server: await freePort(), worker: await freePort() };
  const early = {
    ENGINE: 'cluster',
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    PORT: String(ports.server),
    HEALTH_PORT: String(ports.worker),
  };
  server = new Product(early, dataDir, ['--role=server']);
  worker = new Product(early, dataDir, ['--role=worker']);
  const started = Promise.all([server.start(), worker.start()]);
  // It is looked at below, once there is a Temporal service.
  started.catch(() => undefined);
  for (const port of [ports.server, ports.worker]) {
    const waits = ({ reason }: Readiness): boolean => reason?.startsWith('it waits for Temporal') === true;
    await readiness(`http://127.0.0.1:${port}`, waits);
    livedEarly.push((await fetch(`http://127.0.0.1:${port}/livez`)).status);
  }
  engine = await startTestEngine({ port: ports.temporal, access: 'open' });
  await started;
}, 360_000);

afterAll(async () => {
  // Before the folder that both write into goes.
  await worker.stop();
  await server.dispose();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 360_000);

test('a server and a worker of their own share a session, and a worker killed in the middle is made up for', async () => {
  const { agent, environment_id } = await prepare(server.client);
  const { id } = await server.client.beta.sessions.create({ agent, environment_id });
  const steps = Array.from({ length: 8 }, (_, n) => ({ bash: `echo ${n} >> trace; sleep 0.1` }));
  await say(server.client, id, JSON.stringify([...steps, { bash: 'paste -sd, trace' }]));
  await until(server, id, 'the third result', (log) => resultTexts(log).length >= 3);
  await worker.kill();
  await worker.start();
  expect(await idle(server, id)).toBe('end_turn');
  expect(resultTexts(await events(server.client, id)).at(-1)).toBe('0,1,2,3,4,5,6,7');
}, 360_000);

test('both lived before there was a Temporal service, are ready now, and tell of every part that they need', async () => {
  expect(livedEarly).toEqual([200, 200]);
  const parts = async ({ url }: Product): Promise<readonly string[]> =>
    Object.keys((await readiness(url, ({ ready }) => ready)).checks).toSorted();
  expect(await parts(server)).toEqual(['blobs', 'store', 'temporal']);
  expect(await parts(worker)).toEqual(['blobs', 'store', 'temporal', 'worker']);
  // On loopback, a worker's figures need no key.
  expect(await (await fetch(`${worker.url}/metrics`)).text()).toContain('process_resident_memory_bytes');
});

test('roles of their own need a cluster', async () => {
  const alone = new Product({}, undefined, ['--role=worker']);
  await expect(alone.start()).rejects.toThrow(
    /--role=worker is not allowed: all or inference, unless ENGINE=cluster/,
  );
  rmSync(alone.dataDir, { recursive: true, force: true });
}, 120_000);

test('a start that waits ends by SIGTERM at once, and by its limit with a line', async () => {
  const nowhere = { ENGINE: 'cluster', TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` };
  const port = await freePort();
  const waiting = new Product({ ...nowhere, PORT: String(port) }, undefined, ['--role=server']);
  const ended = waiting.start().catch(() => 'ended');
  await readiness(`http://127.0.0.1:${port}`, ({ reason }) => reason?.startsWith('it waits for') === true);
  expect(await waiting.stop()).toBe(0);
  expect(await ended).toBe('ended');
  const impatient = new Product({ ...nowhere, START_WAIT_MS: '0' }, waiting.dataDir, ['--role=server']);
  await expect(impatient.start()).rejects.toThrow(/ENGINE=cluster: no answer from/);
  rmSync(waiting.dataDir, { recursive: true, force: true });
}, 360_000);

test('--role=migrate makes what is kept and ends, at the first time and at every other', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-'));
  const env = { ...process.env, ...engine.env, DATA_DIR: folder, LOG_LEVEL: 'warn' };
  for (const _ of ['first', 'second']) {
    const { stdout } = await promisify(execFile)(process.execPath, ['dist/main.mjs', '--role=migrate'], {
      env,
    });
    expect(stdout).toMatch(/^Steadyhand migrated: .*\n$/);
    expect(existsSync(path.join(folder, 'store/store.db'))).toBe(true);
  }
  rmSync(folder, { recursive: true, force: true });
}, 240_000);
