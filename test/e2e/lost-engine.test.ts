import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { productForAll } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { events, idle, made, make, prepare, resultTexts, say, until } from './support.ts';

const product = productForAll();

/** As after a backup that left the engine out: the store and the sandboxes are there, every workflow is gone. */
async function loseTheEngine(): Promise<void> {
  await product.kill();
  rmSync(path.join(product.dataDir, 'engine'), { recursive: true, force: true });
  await product.start();
}

async function newSession(policies: Parameters<typeof prepare>[1] = {}): Promise<string> {
  const { agent, environment_id } = await prepare(product.client, policies);
  return (await product.client.beta.sessions.create({ agent, environment_id })).id;
}

test('a session in the middle of its turn ends it by itself after the engine is lost, nothing done twice', async () => {
  const id = await newSession();
  await say(product.client, id, '- bash: echo early >> trace');
  expect(await idle(product, id)).toBe('end_turn');
  await say(
    product.client,
    id,
    JSON.stringify([
      { bash: 'echo one >> trace' },
      { bash: 'touch begun; until test -e go; do sleep 0.1; done; echo two >> trace' },
      { bash: 'echo three >> trace' },
      { bash: 'paste -sd, trace' },
    ]),
  );
  await made(product, id, 'begun');
  await loseTheEngine();
  await make(product, id, 'go');
  expect(await idle(product, id)).toBe('end_turn');
  const log = await events(product.client, id);
  expect(resultTexts(log).at(-1)).toBe('early,one,two,three');
  const uses = log.flatMap((event) => (event.type === 'agent.tool_use' ? [event.id] : []));
  const results = log.flatMap((event) => (event.type === 'agent.tool_result' ? [event.tool_use_id] : []));
  expect(results).toEqual(uses);
  await say(product.client, id, '- bash: echo later');
  expect(await idle(product, id)).toBe('end_turn');
  expect(resultTexts(await events(product.client, id)).at(-1)).toBe('later');
  expect(await replaySessions(product)).toBe(1);
}, 360_000);

test('a session at rest answers its next message after the engine is lost', async () => {
  const id = await newSession();
  for (const text of ['- bash: echo one\n- bash: echo two', '- bash: echo three']) {
    await say(product.client, id, text);
    expect(await idle(product, id)).toBe('end_turn');
  }
  const before = (await events(product.client, id)).length;
  await loseTheEngine();
  expect(await events(product.client, id)).toHaveLength(before);
  await say(product.client, id, '- bash: echo four');
  await until(product, id, 'the answer', (log) => resultTexts(log).at(-1) === 'four');
  expect(await idle(product, id)).toBe('end_turn');
}, 360_000);

test('an approval that was waited for still counts after the engine is lost', async () => {
  const id = await newSession({ bash: 'always_ask' });
  await say(product.client, id, '- bash: echo done >> trace; cat trace');
  expect(await idle(product, id)).toBe('requires_action');
  await loseTheEngine();
  expect(await idle(product, id)).toBe('requires_action');
  const log = await events(product.client, id);
  const use = log.find(({ type }) => type === 'agent.tool_use')?.id ?? '';
  await product.client.beta.sessions.events.send(id, {
    events: [{ type: 'user.tool_confirmation', tool_use_id: use, result: 'allow' }],
  });
  expect(await idle(product, id)).toBe('end_turn');
  expect(resultTexts(await events(product.client, id))).toEqual(['done']);
}, 360_000);

test('after the engine is set back to an older copy, what it forgot is not asked for and not done again', async () => {
  const sessions = [await newSession(), await newSession()];
  const [busy = '', resting = ''] = sessions;
  for (const id of sessions) {
    await say(product.client, id, '- bash: echo one >> trace');
    expect(await idle(product, id)).toBe('end_turn');
  }
  await product.stop();
  const folder = path.join(product.dataDir, 'engine');
  const copy = path.join(product.dataDir, 'engine-copy');
  cpSync(folder, copy, { recursive: true });
  await product.start();
  for (const id of sessions) {
    await say(product.client, id, '- bash: echo two >> trace');
    expect(await idle(product, id)).toBe('end_turn');
  }
  const steps = [
    { bash: 'echo three >> trace; touch begun; until test -e go; do sleep 0.1; done' },
    { bash: 'paste -sd, trace' },
  ];
  await say(product.client, busy, JSON.stringify(steps));
  await made(product, busy, 'begun');
  await product.kill();
  rmSync(folder, { recursive: true });
  renameSync(copy, folder);
  await product.start();
  await make(product, busy, 'go');
  expect(await idle(product, busy)).toBe('end_turn');
  await say(product.client, resting, '- bash: paste -sd, trace');
  await until(product, resting, 'the answer', (log) => resultTexts(log).at(-1) === 'one,two');
  expect(resultTexts(await events(product.client, busy)).at(-1)).toBe('one,two,three');
  expect(await replaySessions(product)).toBeGreaterThanOrEqual(2);
}, 360_000);
