import { NOT_EXECUTED } from '@steadyhand/contracts';
import { appendResult } from '../../activities/append-result.ts';
import type { ActivityDeps } from '../../activities/index.ts';
import { requestModel } from '../../activities/request-model.ts';
import { runTool } from '../../activities/run-tool.ts';
import { turns } from '../../activities/turns.ts';
import { append, type NewEvent, readLog, replyEvents, toolResult } from '../../sessions/index.ts';
import { readCounter } from '../support/read-counter.ts';
import { inActivity, message, openBench } from './support.ts';
import { openedForAll } from '../support/opened.ts';

const bench = openedForAll(openBench);

const TOOLS = [{ type: 'bash_20241022', name: 'bash' }, { type: 'computer_toolset_20260801' }];

/** A session that so many events lie behind, as turns of the script provider leave them. */
async function sessionBehind(events: number): Promise<{ session: string; tools: never }> {
  const { sessions, store } = bench;
  const agent = await sessions.agents.create({ name: 'a', model: 'script', tools: TOOLS });
  const { id: session } = await sessions.create({ agent: agent.id });
  const tools = agent.tools as never;
  for (let turn = 0; ((await store.sessions.get(session))?.cursor ?? 0) < events; turn++) {
    const cursor = await bench.user(session, message('go'));
    const said: NewEvent[] = [];
    for (let step = 0; step < 20; step++) said.push(...reply(`${turn}_${step}`, cursor, tools, ['bash']));
    const { events: added } = await append(store, { session, key: `said/${turn}`, events: said });
    const results = added.map(({ id }) => toolResult(id, { content: [], is_error: false }));
    await append(store, { session, key: `results/${turn}`, events: results });
  }
  return { session, tools };
}

const reply = (id: string, cursor: number, tools: never, names: readonly string[]): readonly NewEvent[] =>
  replyEvents(
    {
      id: `msg_${id}`,
      content: names.map((name, n) => ({
        type: 'tool_use',
        id: `toolu_${id}_${n}`,
        name,
        input: {},
        ...(name === 'bash' ? {} : { toolset_name: 'computer' }),
      })) as never,
    },
    cursor,
    tools,
  );

/** The events that each activity of a step reads. */
async function readsOf(behind: number): Promise<Record<string, number>> {
  const { session, tools } = await sessionBehind(behind);
  const { store, reads } = readCounter(bench.store);
  const deps: ActivityDeps = { ...bench.deps, store };
  let step = 0;
  const of: Record<string, number> = {};
  const measure = async <T>(name: string, work: (step: { step: number }) => Promise<T>): Promise<T> => {
    const before = reads.events;
    const done = await inActivity(() => work({ step: ++step }));
    of[name] = reads.events - before;
    return done;
  };
  const ask = (name: string): ReturnType<ReturnType<typeof requestModel>> =>
    measure(name, (at) =>
      requestModel(deps)({ session, epoch: 1, generation: 1, turns: 0, waits: 0, faults: 0, pauses: 0 }, at),
    );

  await bench.user(session, message('- bash: "true"\n- bash: "false"\n- say: done'));
  await ask('first request of the process');
  delete of['first request of the process'];
  // Its tool uses are answered as interrupted: nothing has run.
  const [open = ''] = (await readLog(store, session, { types: ['agent.tool_use'] }))
    .slice(-1)
    .map(({ id }) => id);
  await measure('result of a tool use', (at) =>
    appendResult(deps)({ session, epoch: 1, generation: 1, call: open }, at),
  );
  expect(await ask('request')).toMatchObject({ type: 'end' });
  await measure('end of a turn', (at) =>
    turns(deps).endTurn({ session, epoch: 2, generation: 1, reason: 'end_turn', refusal: null }, at),
  );

  const cursor = await bench.user(session, message('click'));
  const said = reply('late', cursor, tools, ['bash', 'left_click', 'left_click']);
  const { events } = await append(store, { session, key: 'late', events: said });
  const [other = '', failed = '', call = ''] = events.map(({ id }) => id);
  for (const [id, is_error] of [
    [other, false],
    [failed, true],
  ] as const) {
    await append(store, { session, key: `r/${id}`, events: [toolResult(id, { content: [], is_error })] });
  }
  expect(
    await measure('tool use', () => runTool(deps)({ session, epoch: 2, generation: 1, call }, { step: 99 })),
  ).toEqual({
    type: 'done',
  });
  expect(await store.effects.get(session, call)).toMatchObject({
    outcome: { is_error: true, content: [{ type: 'text', text: NOT_EXECUTED }] },
  });
  await measure('recorded result', (at) =>
    appendResult(deps)({ session, epoch: 2, generation: 1, call }, at),
  );
  await append(store, { session, key: 'open', events: reply('open', cursor, tools, ['bash']) });
  const error = { type: null, message: 'no' };
  await measure('failed turn', (at) =>
    turns(deps).failTurn({ session, epoch: 3, generation: 1, error, message: cursor }, at),
  );
  expect((await bench.sessions.retrieve(session)).status).toBe('idle');
  return of;
}

test('no activity of a step reads more of a long log than of a short one', async () => {
  const short = await readsOf(50);
  const long = await readsOf(5_000);
  expect(long).toEqual(short);
  expect(Math.max(...Object.values(long))).toBeLessThan(20);
});

describe('a use of a toolset', () => {
  const ran = async (session: string, call: string): Promise<unknown> => {
    await inActivity(() =>
      runTool(bench.deps)({ session, epoch: 1, generation: 1, call }, { step: 1 }),
    ).catch(() => undefined);
    const effect = await bench.store.effects.get(session, call);
    return effect?.state === 'done' ? effect.outcome : undefined;
  };
  /** Two replies, one behind the other; the first use of each has failed. */
  const replies = async (...names: readonly (readonly string[])[]): Promise<[string, string[][]]> => {
    const { session, tools } = await sessionBehind(0);
    const ids: string[][] = [];
    for (const [n, each] of names.entries()) {
      const cursor = (await bench.store.sessions.get(session))?.cursor ?? 0;
      const said = reply(`${n}`, cursor, tools, each);
      const { events } = await append(bench.store, { session, key: `reply/${n}`, events: said });
      const uses = events.map(({ id }) => id);
      const failed = toolResult(uses[0] ?? '', { content: [], is_error: true });
      await append(bench.store, { session, key: `failed/${n}`, events: [failed] });
      ids.push(uses);
    }
    return [session, ids];
  };
  const refused = { is_error: true, content: [{ type: 'text', text: NOT_EXECUTED }] };

  test('is not performed after an earlier one of its reply has failed', async () => {
    const [session, [uses = []]] = await replies(['left_click', 'bash', 'left_click', 'left_click']);
    expect(await ran(session, uses[2] ?? '')).toMatchObject(refused);
    expect(await ran(session, uses[3] ?? '')).toMatchObject(refused);
    expect(await ran(session, uses[1] ?? '')).toBeUndefined();
  });

  test('is performed where another tool has failed, or another reply', async () => {
    const [session, [, uses = []]] = await replies(['left_click', 'left_click'], ['bash', 'left_click']);
    // It got as far as asking for its sandbox, of which this bench has none.
    expect(await ran(session, uses[1] ?? '')).toBeUndefined();
  });
});
