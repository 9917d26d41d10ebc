import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { freePort } from '../support/free-port.cjs';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts } from './support.ts';

/** A deploy under load: the server is replaced while clients work, which ask again as the official client does. */

let engine: TestEngine;
let dataDir: string;
let worker: Product;
let server: Product;

beforeAll(async () => {
  engine = await startTestEngine();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-'));
  const port = await freePort();
  server = new Product({ ...engine.env, PORT: String(port) }, dataDir, ['--role=server']);
  worker = new Product(engine.env, dataDir, ['--role=worker']);
  await Promise.all([server.start(), worker.start()]);
}, 360_000);

afterAll(async () => {
  await worker.stop();
  await server.dispose();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 360_000);

test('nothing is lost or done twice, and no client sees an error', async () => {
  const client = new Anthropic({ baseURL: server.url, apiKey: 'unused-on-loopback', maxRetries: 60 });
  const { agent, environment_id } = await prepare(client);
  const { id } = await client.beta.sessions.create({ agent, environment_id });
  let isReplaced = false;
  const replaced = (async () => {
    expect(await server.stop()).toBe(0);
    await server.start();
    isReplaced = true;
  })();
  // Messages go on until the new server has taken some.
  const sent: string[] = [];
  for (let after = 0; after < 3; after += isReplaced ? 1 : 0) {
    const text = JSON.stringify([{ bash: `echo ${sent.length}` }]);
    await client.beta.sessions.events.send(id, {
      events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
    });
    sent.push(text);
  }
  await replaced;
  expect(await idle(server, id)).toBe('end_turn');
  const log = await events(client, id);
  const messages = log.flatMap((event) =>
    event.type === 'user.message'
      ? event.content.map((block) => (block.type === 'text' ? block.text : ''))
      : [],
  );
  expect(messages).toEqual(sent);
  const results = resultTexts(log).map(Number);
  expect(results).toEqual(results.toSorted((a, b) => a - b));
  expect(new Set(results).size).toBe(results.length);
  expect(results.at(-1)).toBe(sent.length - 1);
}, 360_000);
