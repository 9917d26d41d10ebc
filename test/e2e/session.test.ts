import { productForAll } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { events, idle, made, prepare, resultTexts, say, until } from './support.ts';

const product = productForAll();

/** Opens the note in a desktop editor and waits for its window. */
const NOTE = `
- bash: echo hello > note.txt
- edit: {command: str_replace, path: /home/agent/note.txt, old_str: hello, new_str: good morning}
- bash: "mousepad note.txt &"
- bash: xdotool search --sync --onlyvisible --name note.txt windowactivate --sync
- key: ctrl+End
- type: ", world"
- key: ctrl+s
- bash: until grep -q world note.txt; do sleep 0.1; done; cat note.txt
- computer: {action: screenshot}
- say: The note is written.
`;

const session = async (policies = {}): Promise<string> => {
  const { agent, environment_id } = await prepare(product.client, policies);
  return (await product.client.beta.sessions.create({ agent, environment_id })).id;
};

test('a session writes a file, edits it, opens it in a desktop editor, types into it and saves it', async () => {
  const id = await session();
  expect((await product.client.beta.sessions.retrieve(id)).status).toBe('idle');
  await say(product.client, id, NOTE);
  expect(await idle(product, id)).toBe('end_turn');
  const log = await events(product.client, id);
  const texts = resultTexts(log);
  expect(texts.at(-2)).toContain('good morning\n, world');
  expect(texts.at(-1)).toContain('<image>');
  expect(JSON.stringify(log.findLast((event) => event.type === 'agent.message'))).toContain(
    'The note is written.',
  );
  const retrieved = await product.client.beta.sessions.retrieve(id);
  expect(retrieved).toMatchObject({ status: 'idle', sandbox_id: expect.stringMatching(/^sbx_/) as string });
  expect(retrieved.usage.input_tokens).toBeGreaterThan(0);
}, 360_000);

test('kill -9 in the middle: after the next start it goes on by itself, and no step is done twice', async () => {
  const id = await session();
  const steps = Array.from({ length: 12 }, (_, n) => ({ bash: `echo ${n} >> trace; sleep 0.1` }));
  await say(product.client, id, JSON.stringify([...steps, { bash: 'paste -sd, trace' }]));
  await until(product, id, 'the fourth result', (log) => resultTexts(log).length >= 4);
  await product.kill();
  await product.start();
  expect(await idle(product, id)).toBe('end_turn');
  expect(resultTexts(await events(product.client, id)).at(-1)).toBe('0,1,2,3,4,5,6,7,8,9,10,11');
}, 360_000);

test('SIGTERM drains and exits with 0; a running session goes on after the next start', async () => {
  const id = await session();
  const steps = Array.from({ length: 8 }, (_, n) => ({ bash: `echo ${n} >> trace; sleep 0.1` }));
  await say(product.client, id, JSON.stringify([...steps, { bash: 'paste -sd, trace' }]));
  await until(product, id, 'the second result', (log) => resultTexts(log).length >= 2);
  expect(await product.stop()).toBe(0);
  await product.start();
  expect(await idle(product, id)).toBe('end_turn');
  expect(resultTexts(await events(product.client, id)).at(-1)).toBe('0,1,2,3,4,5,6,7');
}, 360_000);

describe('approvals', () => {
  test('always_ask waits for the person; allowed it runs, denied it does not', async () => {
    const id = await session({ bash: 'always_ask' });
    await say(
      product.client,
      id,
      JSON.stringify([{ bash: 'echo one' }, { bash: 'echo two', or_continue: true }]),
    );
    for (const [result, deny_message] of [
      ['allow', undefined],
      ['deny', 'not today'],
    ] as const) {
      await until(product, id, 'the question', (log) => log.at(-1)?.type === 'session.status_idle');
      const log = await events(product.client, id);
      const last = log.at(-1);
      if (last?.type !== 'session.status_idle' || last.stop_reason.type !== 'requires_action')
        throw new Error('no question');
      const [tool_use_id = ''] = last.stop_reason.event_ids;
      await product.client.beta.sessions.events.send(id, {
        events: [
          { type: 'user.tool_confirmation', tool_use_id, result, ...(deny_message ? { deny_message } : {}) },
        ],
      });
      await until(product, id, 'the answer to be taken', (now) => now.length > log.length + 1);
    }
    expect(await idle(product, id)).toBe('end_turn');
    expect(resultTexts(await events(product.client, id))).toEqual([
      'one',
      'The user denied this tool use: not today',
    ]);
  }, 360_000);
});

describe('interrupts', () => {
  test('a running command is stopped, its output kept, and the session takes the next message', async () => {
    const id = await session();
    await say(
      product.client,
      id,
      JSON.stringify([{ bash: 'echo begun; touch begun; sleep 60' }, { bash: 'echo never' }]),
    );
    await made(product, id, 'begun');
    await product.client.beta.sessions.events.send(id, { events: [{ type: 'user.interrupt' }] });
    expect(await idle(product, id)).toBe('end_turn');
    const [stopped = ''] = resultTexts(await events(product.client, id));
    expect(stopped).toContain('begun');
    await say(product.client, id, JSON.stringify([{ bash: 'echo back' }]));
    await until(product, id, 'the next result', (log) => resultTexts(log).at(-1) === 'back');
    expect(await idle(product, id)).toBe('end_turn');
  }, 360_000);
});

test('every workflow history that these sessions made replays', async () => {
  expect(await replaySessions(product)).toBeGreaterThanOrEqual(5);
}, 360_000);
