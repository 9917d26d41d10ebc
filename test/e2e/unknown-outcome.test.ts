import path from 'node:path';
import { runningInstance } from '../../sandbox/instance-lock.ts';
import { productForAll } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { events, idle, made, prepare, resultTexts, say } from './support.ts';

const product = productForAll();

/** The process of a session's sandbox daemon. */
function daemonPid(sandbox: string): number {
  const instance = runningInstance(path.join(product.dataDir, 'sandboxes', sandbox));
  if (instance === null) throw new Error(`no daemon of ${sandbox} runs`);
  return instance.process.pid;
}

test('a computer killed in the middle of an action: the session looks, tells the model, and does not act again', async () => {
  const { agent, environment_id } = await prepare(product.client);
  const { id } = await product.client.beta.sessions.create({ agent, environment_id });
  await say(
    product.client,
    id,
    JSON.stringify([
      { bash: 'true' },
      { bash: 'echo begun >> trace; touch begun; sleep 60' },
      { bash: 'cat trace' },
    ]),
  );
  await made(product, id, 'begun');
  const { sandbox_id } = (await product.client.beta.sessions.retrieve(id)) as unknown as {
    sandbox_id: string;
  };
  process.kill(daemonPid(sandbox_id), 'SIGKILL');
  expect(await idle(product, id)).toBe('end_turn');
  const texts = resultTexts(await events(product.client, id));
  expect(texts).toHaveLength(3);
  expect(texts[1]).toMatch(/its outcome is unknown: it may have taken effect.*<image>$/s);
  expect(texts[2]).toContain('begun');
  expect(texts[2]?.match(/begun/g)).toHaveLength(1);
}, 360_000);

test('every workflow history that these sessions made replays', async () => {
  expect(await replaySessions(product)).toBe(1);
}, 360_000);
