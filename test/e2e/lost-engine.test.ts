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

/** Tells a session a script and waits for the end of its turn. */
async function done(id: string, script: string): Promise<void> {
  await say(product.client, id, script);
  expect(await idle(product, id)).toBe('end_turn');
}

test('after the engine is lost, sessions go on: in the middle of a turn, at rest, and with a question asked', async () => {
  const [busy, resting, asking] = [
    await newSession(),
    await newSession(),
    await newSession({ bash: 'always_ask' }),
  ];
  await done(resting, '- bash: echo one\n- bash: echo two');
  await done(resting, '- bash: echo three');
  await say(product.client, asking, '- bash: echo done >> trace; cat trace');
  expect(await idle(product, asking)).toBe('requires_action');
  await done(busy, '- bash: echo early >> trace');
  await say(
    product.client,
    busy,
    JSON.stringify([
      { bash: 'echo one >> trace' },
      { bash: 'touch begun; until test -e go; do sleep 0.1; done; echo two >> trace' },
      { bash: 'echo three >> trace' },
      { bash: 'paste -sd, trace' },
    ]),
  );
  await made(product, busy, 'begun');
  const before = (await events(product.client, resting)).length;
  await loseTheEngine();

  // It ends its turn by itself, and does nothing twice.
  await make(product, busy, 'go');
  expect(await idle(product, busy)).toBe('end_turn');
  const log = await events(product.client, busy);
  expect(resultTexts(log).at(-1)).toBe('early,one,two,three');
  const uses = log.flatMap((event) => (event.type === 'agent.tool_use' ? [event.id] : []));
  const results = log.flatMap((event) => (event.type === 'agent.tool_result' ? [event.tool_use_id] : []));
  expect(results).toEqual(uses);
  await done(busy, '- bash: echo later');
  expect(resultTexts(await events(product.client, busy)).at(-1)).toBe('later');

  // It answers its next message.
  expect(await events(product.client, resting)).toHaveLength(before);
  await say(product.client, resting, '- bash: echo four');
  await until(product, resting, 'the answer', (all) => resultTexts(all).at(-1) === 'four');
  expect(await idle(product, resting)).toBe('end_turn');

  // The approval that it waited for still counts.
  expect(await idle(product, asking)).toBe('requires_action');
  const use = (await events(product.client, asking)).find(({ type }) => type === 'agent.tool_use')?.id ?? '';
  await product.client.beta.sessions.events.send(asking, {
    events: [{ type: 'user.tool_confirmation', tool_use_id: use, result: 'allow' }],
  });
  expect(await idle(product, asking)).toBe('end_turn');
  expect(resultTexts(await events(product.client, asking))).toEqual(['done']);
  expect(await replaySessions(product)).toBe(3);
}, 360_000);

test('after the engine is set back to an older copy, what it forgot is not asked for and not done again', async () => {
  const sessions = [await newSession(), await newSession()];
  const [busy = '', resting = ''] = sessions;
  for (const id of sessions) await done(id, '- bash: echo one >> trace');
  await product.stop();
  const folder = path.join(product.dataDir, 'engine');
  const copy = path.join(product.dataDir, 'engine-copy');
  cpSync(folder, copy, { recursive: true });
  await product.start();
  for (const id of sessions) await done(id, '- bash: echo two >> trace');
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
