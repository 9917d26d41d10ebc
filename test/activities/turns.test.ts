import { appendResult } from '../../activities/append-result.ts';
import { createActivities } from '../../activities/index.ts';
import type { EndTurnInput, TurnEnd } from '../../contracts/session-activities.ts';
import { turns } from '../../activities/turns.ts';
import { append, readLog, replyEvents } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import { inActivity, message, openBench, type Bench } from './support.ts';
import { openedForAll } from '../support/opened.ts';
import { toolUse } from '../support/blocks.ts';

const bench = openedForAll(openBench);

let steps = 0;
const next = (): { step: number } => ({ step: ++steps });

/** A reply of the model that has seen the log up to `cursor`; answers the ids of its tool uses. */
const reply = async (
  session: string,
  cursor: number,
  commands: readonly string[] = [],
): Promise<string[]> => {
  const { agent } = await bench.sessions.retrieve(session);
  const uses = commands.map((command, n) => toolUse(`toolu_${steps}_${n}`, 'bash', { command }));
  const content = [{ type: 'text' as const, text: 'Hm.', citations: null }, ...uses];
  const events = replyEvents({ id: `msg_${steps}`, content } as never, cursor, agent.tools as never);
  const { events: appended } = await append(bench.store, { session, key: `reply/${++steps}`, events });
  return appended.filter((event) => event.type === 'agent.tool_use').map((event) => event.id);
};
const ending = (session: string, epoch: number, reason: TurnEnd): EndTurnInput => ({
  session,
  epoch,
  generation: 1,
  reason,
  refusal: null,
});
const types = async (session: string): Promise<string[]> =>
  (await readLog(bench.store, session)).map((event) => event.type);

describe('the end of a turn', () => {
  test('idle when every message has been seen by a reply', async () => {
    const session = await bench.session();
    const seen = await bench.user(session, message('one'));
    await reply(session, seen);
    expect(await turns(bench.deps).endTurn(ending(session, 2, 'end_turn'), next())).toMatchObject({
      type: 'idle',
    });
    expect((await bench.sessions.retrieve(session)).status).toBe('idle');
    expect((await types(session)).at(-1)).toBe('session.status_idle');
  });

  test('more when a message came while the model was thinking', async () => {
    const session = await bench.session();
    const seen = await bench.user(session, message('one'));
    await bench.user(session, message('two'));
    await reply(session, seen);
    expect(await turns(bench.deps).endTurn(ending(session, 2, 'end_turn'), next())).toMatchObject({
      type: 'more',
    });
    expect(await types(session)).not.toContain('session.status_idle');
  });

  test('an interrupt does away with the messages before it, not with those after it', async () => {
    const session = await bench.session();
    await bench.user(session, message('one'), { type: 'user.interrupt', body: {} });
    expect(await turns(bench.deps).endTurn(ending(session, 2, 'interrupted'), next())).toMatchObject({
      type: 'idle',
    });
    await bench.user(session, { type: 'user.interrupt', body: {} }, message('two'));
    expect(await turns(bench.deps).endTurn(ending(session, 3, 'interrupted'), next())).toMatchObject({
      type: 'more',
    });
  });

  test('a limit always ends in idle, or the turn would begin again for ever', async () => {
    const session = await bench.session();
    await bench.user(session, message('one'));
    expect(await turns(bench.deps).endTurn(ending(session, 2, 'limit'), next())).toMatchObject({
      type: 'idle',
    });
    expect((await bench.sessions.retrieve(session)).stop_reason).toEqual({ type: 'budget_reached' });
  });

  test('open tool uses are answered, and a late writer of the ended turn is refused', async () => {
    const session = await bench.session();
    const seen = await bench.user(session, message('one'));
    const [call = ''] = await reply(session, seen, ['sleep 9']);
    await turns(bench.deps).endTurn(ending(session, 5, 'interrupted'), next());
    const log = await readLog(bench.store, session);
    expect(log.find((event) => event.type === 'agent.tool_result')?.body).toMatchObject({
      tool_use_id: call,
      is_error: true,
    });
    const late = { session, epoch: 4, generation: 1, call };
    await expect(
      inActivity(() => createActivities(bench.deps).appendResult(late, next())),
    ).rejects.toMatchObject({ type: 'StaleEpochError', nonRetryable: true });
  });

  test('the same step twice writes once', async () => {
    const session = await bench.session();
    await bench.user(session, message('one'));
    const step = next();
    const error = { type: 'invalid_request_error', message: 'no' };
    const failure = { session, epoch: 2, generation: 1, error, message: 1 };
    await turns(bench.deps).failTurn(failure, step);
    const once = await types(session);
    await turns(bench.deps).failTurn(failure, step);
    expect(await types(session)).toEqual(once);
    expect(once.slice(-2)).toEqual(['session.error', 'session.status_idle']);
  });
});

describe('answers to tool uses', () => {
  const resumed = (session: string, calls: readonly string[], outdatedUpTo = 0): Promise<unknown> =>
    turns(bench.deps).resumeTurn({ session, epoch: 1, generation: 1, calls, outdatedUpTo }, next());
  const allowed = (call: string): Parameters<Bench['user']>[1] => ({
    type: 'user.tool_confirmation',
    body: { tool_use_id: call, result: 'allow' },
  });

  test('count where they stand in the log, and nowhere else', async () => {
    const session = await bench.session();
    const [one = '', two = ''] = await reply(session, await bench.user(session, message('go')), ['a', 'b']);
    expect(await resumed(session, [one, two])).toEqual({ answers: [] });
    await bench.user(session, allowed(two));
    expect(await resumed(session, [one, two])).toEqual({ answers: [{ call: two, result: 'allow' }] });
  });

  test('given before a person changed the screen are outdated, but for refusals', async () => {
    const session = await bench.session();
    const [one = '', two = ''] = await reply(session, await bench.user(session, message('go')), ['a', 'b']);
    await bench.user(session, {
      type: 'user.tool_confirmation',
      body: { tool_use_id: one, result: 'deny' },
    });
    const seq = await bench.user(session, allowed(two));
    expect(await resumed(session, [one, two], seq)).toMatchObject({
      answers: [
        { call: one, result: 'deny' },
        { call: two, result: 'outdated' },
      ],
    });
  });
});

describe('a message that comes while a turn ends', () => {
  /** The store, and somebody who speaks to the session between the first look at its log and the append. */
  const spokenToMeanwhile = (session: string): Bench['deps'] => {
    let isSpoken = false;
    const events = {
      ...bench.store.events,
      append: async (request: Parameters<Store['events']['append']>[0]) => {
        if (!isSpoken && request.expectCursor !== undefined) {
          isSpoken = true;
          await bench.user(session, message('wait'));
        }
        return bench.store.events.append(request);
      },
    };
    return { ...bench.deps, store: { ...bench.store, events } };
  };

  test('keeps the session running', async () => {
    const session = await bench.session();
    await reply(session, await bench.user(session, message('one')));
    const ended = await turns(spokenToMeanwhile(session)).endTurn(ending(session, 2, 'end_turn'), next());
    expect(ended).toMatchObject({ type: 'more' });
    expect((await bench.sessions.retrieve(session)).status).toBe('running');
    expect(await types(session)).not.toContain('session.status_idle');
  });

  test('keeps it running after a failure, too, and the failure is told', async () => {
    const session = await bench.session();
    const seq = await bench.user(session, message('one'));
    const error = { type: null, message: 'no' };
    const failed = await turns(spokenToMeanwhile(session)).failTurn(
      { session, epoch: 2, generation: 1, error, message: seq },
      next(),
    );
    expect(failed).toMatchObject({ type: 'more' });
    expect((await types(session)).slice(-2)).toEqual(['user.message', 'session.error']);
    expect((await bench.sessions.retrieve(session)).status).toBe('running');
  });
});

describe('the result of a tool use', () => {
  const resultOf = async (session: string, call: string): Promise<unknown> => {
    await appendResult(bench.deps)({ session, epoch: 1, generation: 1, call }, next());
    return (await readLog(bench.store, session)).find(
      (event) => event.type === 'agent.tool_result' && event.body.tool_use_id === call,
    )?.body;
  };

  test('is its recorded outcome', async () => {
    const session = await bench.session();
    const [call = ''] = await reply(session, await bench.user(session, message('one')), ['true']);
    await bench.store.effects.begin(session, call);
    await bench.store.effects.finish(session, call, {
      status: 'done',
      is_error: false,
      content: [{ type: 'text', text: 'hi' }],
    });
    expect(await resultOf(session, call)).toEqual({
      tool_use_id: call,
      is_error: false,
      content: [{ type: 'text', text: 'hi' }],
    });
  });

  test('is the refusal where a person denied it', async () => {
    const session = await bench.session();
    const [call = ''] = await reply(session, await bench.user(session, message('one')), ['rm -rf /']);
    await bench.user(session, {
      type: 'user.tool_confirmation',
      body: { tool_use_id: call, result: 'deny', deny_message: 'never' },
    });
    expect(await resultOf(session, call)).toMatchObject({
      is_error: true,
      content: [{ type: 'text', text: 'The user denied this tool use: never' }],
    });
  });

  test('is the interruption where nothing else is known', async () => {
    const session = await bench.session();
    const [call = ''] = await reply(session, await bench.user(session, message('one')), ['true']);
    expect(await resultOf(session, call)).toMatchObject({
      content: [{ type: 'text', text: 'human stopped or interrupted tool execution' }],
    });
  });
});
