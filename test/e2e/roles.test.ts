import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say, until } from './support.ts';

let engine: TestEngine;
let dataDir: string;
let server: Product;
let worker: Product;

/** Server and worker as processes of their own, on a Temporal service that is neither's. */
beforeAll(async () => {
  engine = await startTestEngine();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-'));
  server = new Product(engine.env, dataDir, ['--role=server']);
  worker = new Product(engine.env, dataDir, ['--role=worker']);
  await Promise.all([server.start(), worker.start()]);
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

test('roles of their own need a cluster', async () => {
  const alone = new Product({}, undefined, ['--role=worker']);
  await expect(alone.start()).rejects.toThrow(/--role=worker is not allowed: all, unless ENGINE=cluster/);
  rmSync(alone.dataDir, { recursive: true, force: true });
}, 120_000);
