import {
  append,
  BUDGET_REACHED,
  END_TURN,
  raiseEpoch,
  readLog,
  sessionData,
  sessionError,
  statusIdle,
  statusRescheduled,
  statusRunning,
  toolResult,
} from '../../sessions/index.ts';
import { statusTerminated } from '../../sessions/events/builders.ts';
import { NotStoredError, StaleEpochError } from '../../store/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { sampleSession, text, uses } from './sample-session.ts';
import { listed } from './listed.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();
const usage = {
  input_tokens: 3,
  output_tokens: 2,
  cache_read_input_tokens: 10,
  cache_creation_input_tokens: 4,
};

describe('a step', () => {
  it('is taken once: events, sums and status', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    const step = { session, key: 'k', events: [statusRunning(), text('hi')], usage, sandboxId: 'sbx_1' };
    const first = await append(store, step);
    expect(first).toMatchObject({ cursor: 2, duplicate: false, turns: 1, tokens: 19 });
    await append(store, { session, key: 'l', events: [statusIdle(END_TURN)], usage });
    const again = await append(store, { ...step, events: [text('other')] });
    expect(again).toMatchObject({ cursor: 2, duplicate: true, turns: 2, tokens: 38, events: first.events });
    expect(await sessions.retrieve(session)).toMatchObject({
      status: 'idle',
      stop_reason: { type: 'end_turn' },
      sandbox_id: 'sbx_1',
      usage: {
        input_tokens: 6,
        output_tokens: 4,
        cache_read_input_tokens: 20,
        cache_creation: { ephemeral_5m_input_tokens: 8, ephemeral_1h_input_tokens: 0 },
      },
    });
  });

  it('is taken once even when it is tried many times at once', async () => {
    const dir = stores.dir();
    const [here, there] = [await stores.open({ dir }), await stores.open({ dir })];
    const { session } = await sampleSession(here);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        append(n % 2 === 0 ? here : there, { session, key: 'k', events: [text(String(n))], usage }),
      ),
    );
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(results.map(({ events }) => JSON.stringify(events))).size).toBe(1);
    expect(await readLog(here, session)).toHaveLength(1);
  });

  it('of a run that has been replaced is refused', async () => {
    const store = await stores.open();
    const { session } = await sampleSession(store);
    await append(store, { session, key: 'old', epoch: 1, events: [text('1')] });
    await raiseEpoch(store, session, 2);
    await raiseEpoch(store, session, 2);
    await expect(append(store, { session, key: 'late', epoch: 1, events: [text('2')] })).rejects.toThrow(
      StaleEpochError,
    );
    await expect(raiseEpoch(store, session, 1.5)).rejects.toThrow(StaleEpochError);
    expect((await append(store, { session, key: 'old', epoch: 1, events: [] })).duplicate).toBe(true);
    await append(store, { session, key: 'new', epoch: 2, events: [text('3')] });
    expect((await readLog(store, session)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect((await store.sessions.get(session))?.epoch).toBe(2);
  });

  it('of a session that is gone fails', async () => {
    const store = await stores.open();
    await expect(append(store, { session: 'sesn_x', key: 'k', events: [] })).rejects.toThrow(NotStoredError);
    const result = toolResult('sevt_x', { content: 'x', is_error: false });
    await expect(append(store, { session: 'sesn_x', key: 'k', events: [result] })).rejects.toThrow(
      NotStoredError,
    );
  });

  it('moves the record through the statuses and counts the time in running', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const store = await stores.open({ now: () => now });
    const { session } = await sampleSession(store);
    const seen: unknown[] = [];
    const step = async (
      key: string,
      seconds: number,
      ...events: ReturnType<typeof statusRunning>[]
    ): Promise<void> => {
      now += seconds * 1000;
      await append(store, { session, key, events });
      const record = await store.sessions.get(session);
      const data = record === undefined ? undefined : sessionData(record);
      seen.push([record?.status, data?.stop_reason?.type ?? null, data?.active_ms]);
    };
    await step('a', 1, statusRunning());
    await step('b', 2, statusRunning());
    await step('c', 4, sessionError('model_overloaded_error', 'busy', 'retrying'), statusRescheduled());
    await step('d', 8, statusRunning());
    await step('e', 16, statusIdle(BUDGET_REACHED));
    await step('f', 32, statusTerminated());
    expect(seen).toEqual([
      ['running', null, 0],
      ['running', null, 0],
      ['rescheduling', null, 6000],
      ['running', null, 6000],
      ['idle', 'budget_reached', 22_000],
      ['terminated', null, 22_000],
    ]);
  });
});

describe('the result of a tool use', () => {
  it('is the first one, and a later one leaves no trace but its step', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    const [bash = '', weather = ''] = await uses(store, sessions, session, 'bash', 'weather');
    const result = (id: string, content: string) => toolResult(id, { content, is_error: false });
    await append(store, { session, key: 'first', events: [result(bash, 'first')] });
    await sessions.events.send(session, {
      events: [{ type: 'user.custom_tool_result', custom_tool_use_id: weather, content: [] }],
    });
    const late = await appendTo(store, session, 'late', [
      result(bash, 'late'),
      result(weather, 'late'),
      statusIdle(END_TURN),
    ]);
    expect(late.events.map(({ type }) => type)).toEqual(['session.status_idle']);
    expect((await append(store, { session, key: 'late', events: [] })).events).toEqual(late.events);
    const onlyLate = await append(store, { session, key: 'later', events: [result(bash, 'later')] });
    expect(onlyLate).toMatchObject({ events: [], duplicate: false, cursor: late.cursor });
    expect(await store.events.verify(session)).toMatchObject({ ok: true });
  });

  it('is one, when many give it at once', async () => {
    const dir = stores.dir();
    const [here, there] = [await stores.open({ dir }), await stores.open({ dir })];
    const { sessions, session } = await sampleSession(here);
    const [bash = ''] = await uses(here, sessions, session, 'bash');
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        appendTo(n % 2 === 0 ? here : there, session, `k${n}`, [
          toolResult(bash, { content: String(n), is_error: false }),
        ]),
      ),
    );
    expect(
      (await readLog(here, session, { types: ['agent.tool_result'] })).map(({ type }) => type),
    ).toHaveLength(1);
  });
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('bytes', () => {
  it('are in the blob store, under one name for all who use them, and never in the log', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    const data = PIXEL;
    const source = { type: 'base64', media_type: 'image/png', data } as const;
    const pdf = { type: 'base64', media_type: 'application/pdf', data } as const;
    await sessions.events.send(session, {
      events: [
        {
          type: 'user.message',
          content: [
            { type: 'image', source },
            { type: 'document', source: pdf, title: 't' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          ],
        },
      ],
    });
    const [bash = ''] = await uses(store, sessions, session, 'bash');
    await appendTo(store, session, 'k', [
      toolResult(bash, { is_error: false, content: [{ type: 'image', source }] }),
    ]);
    const raw = JSON.stringify(await store.events.read({ session }));
    expect(raw).not.toContain(data);
    const hashes = new Set(raw.match(/[0-9a-f]{64}(?=")/g)?.filter((hash) => raw.split(hash).length === 4));
    expect(hashes.size).toBe(1);
    const { data: out } = await listed(sessions, session, 'types=user.message');
    expect(out[0]).toMatchObject({
      content: [
        { type: 'image', source },
        { type: 'document', source: pdf, title: 't' },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      ],
    });
  });
});
