import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSessions } from '../../sessions/index.ts';
import { openStore } from '../../store/index.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say } from './support.ts';

/**
 * Two installations in one Temporal namespace. The second one has a session from before its task queues carried its name: a
 * store like that goes on under the name that its open workflows wait under.
 */

let engine: TestEngine;
let first: Product;
let second: Product;
let fromBefore: string;

beforeAll(async () => {
  engine = await startTestEngine();
  const dir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-'));
  const store = await openStore({ dir: path.join(dir, 'store') });
  const sessions = createSessions({ store });
  const tools = [{ type: 'bash_20241022', name: 'bash' }];
  const agent = await sessions.agents.create({ name: 'earlier', model: 'script', tools });
  fromBefore = (await sessions.create({ agent: agent.id })).id;
  await store.close();
  first = new Product(engine.env);
  second = new Product(engine.env, dir);
  await Promise.all([first.start(), second.start()]);
}, 360_000);

afterAll(async () => {
  await Promise.all([first.dispose(), second.dispose()]);
  await engine.stop();
  rmSync(second.dataDir, { recursive: true, force: true });
}, 360_000);

async function queuesOf({ url }: Product): Promise<readonly string[]> {
  const answer = await fetch(`${url}/v1/system`, { headers: { 'anthropic-version': '2023-06-01' } });
  const { engine: told } = (await answer.json()) as { engine: { queues: { name: string }[] } };
  return told.queues.map(({ name }) => name);
}

test('each works on its own sessions alone, and one from before goes on', async () => {
  expect(await queuesOf(second)).toEqual(['steadyhand', 'steadyhand-batches']);
  expect((await queuesOf(first))[0]).toMatch(/^steadyhand-.+/);
  const steps = ['a', 'b', 'c'].map((letter) => ({ bash: `echo ${letter}` }));
  const own = async (product: Product): Promise<string> => {
    const { agent, environment_id } = await prepare(product.client);
    return (await product.client.beta.sessions.create({ agent, environment_id })).id;
  };
  const work = [first, second, first, second].map(async (product) => [product, await own(product)] as const);
  const all = [...(await Promise.all(work)), [second, fromBefore] as const];
  await Promise.all(all.map(([product, id]) => say(product.client, id, JSON.stringify(steps))));
  for (const [product, id] of all) {
    expect(await idle(product, id)).toBe('end_turn');
    expect(resultTexts(await events(product.client, id))).toEqual(['a', 'b', 'c']);
  }
}, 360_000);
