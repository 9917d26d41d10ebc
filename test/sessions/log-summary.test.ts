import Database from 'libsql';
import { join } from 'node:path';
import { append, is, type LogEvent, logSummary, type NewEvent } from '../../sessions/index.ts';
import { EMPTY_LOG, type LogSummary, summaryAfter } from '../../sessions/record/log-summary.ts';
import type { StoredEvent } from '../../store/index.ts';
import { MIGRATIONS } from '../../store/sqlite/migrations.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { assertProperty, fc } from '../support/fast-check.ts';
import { happenings, play } from './random-log.ts';
import { sampleSession, says } from './sample-session.ts';

const stores = temporaryStores();

/** The summary, computed from the whole log. */
function summaryOf(log: readonly LogEvent[]): LogSummary {
  const answered = new Set(
    log
      .filter(is('agent.tool_result', 'user.custom_tool_result'))
      .map(({ body }) => ('tool_use_id' in body ? body.tool_use_id : body.custom_tool_use_id)),
  );
  const last = (type: LogEvent['type']): number => log.findLast((event) => event.type === type)?.seq ?? 0;
  return {
    open_tool_uses: log
      .filter(is('agent.tool_use', 'agent.custom_tool_use'))
      .flatMap(({ id }) => (answered.has(id) ? [] : [id])),
    last_message: last('user.message'),
    last_interrupt: last('user.interrupt'),
    seen: Math.max(0, ...log.map(({ internal }) => internal.reply?.cursor ?? 0)),
    network_request: log.findLast(is('sandbox.network_request'))?.body.number ?? 0,
  };
}

const stored = ({ body, ...event }: LogEvent): StoredEvent =>
  ({ ...event, payload: body }) as unknown as StoredEvent;

const request = (number: number): NewEvent => ({
  type: 'sandbox.network_request',
  body: {
    number,
    at: '2026-01-01T00:00:00.000Z',
    host: 'example.com',
    port: 443,
    method: 'CONNECT',
    verdict: 'allowed',
    reason: null,
    bytes_sent: 1,
    bytes_received: 1,
    duration_ms: 1,
  },
});

describe('what the record keeps of the log', () => {
  it('is that of the whole log, in whatever steps it was appended', () => {
    assertProperty(100, happenings, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (happened, sizes) => {
      const { events } = play(happened);
      let summary = EMPTY_LOG;
      for (let at = 0; at < events.length;) {
        const size = Number(sizes.next().value);
        summary = summaryAfter(summary, events.slice(at, at + size).map(stored));
        at += size;
        expect(summary).toEqual(summaryOf(events.slice(0, at)));
      }
    });
  });

  it('holds what the session was created with and what its user and its sandbox did', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store, {
      initial_events: [{ type: 'user.message', content: 'at the start' }],
    });
    expect(await logSummary(store, session)).toMatchObject({ cursor: 2, last_message: 1 });
    await sessions.events.send(session, { events: [{ type: 'user.interrupt' }] });
    await sessions.events.send(session, says('again'));
    await append(store, { session, key: 'network', events: [request(1), request(2)] });
    await sessions.update(session, { title: 'another' });
    expect(await logSummary(store, session)).toEqual({
      cursor: 7,
      open_tool_uses: [],
      last_message: 4,
      last_interrupt: 3,
      seen: 0,
      network_request: 2,
    });
  });
});

test('a store from before has its sessions read once, as it is opened', async () => {
  const dir = stores.dir();
  await (await stores.open({ dir })).close();
  const file = join(dir, 'store.db');
  const { rows, log } = aSession();
  const db = new Database(file);
  const at = MIGRATIONS.findIndex((step) => step.includes("'$.log'"));
  for (const { name } of db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string }[]) {
    db.exec(`PRAGMA foreign_keys = OFF; DROP TABLE ${name}`);
  }
  for (const step of MIGRATIONS.slice(0, at)) db.exec(step);
  db.exec(`PRAGMA user_version = ${at}`);
  for (const id of ['sesn_empty', 'sesn_long']) {
    db.prepare(
      `INSERT INTO sessions (id, agent_id, agent_version, status, created_at, updated_at, epoch, cursor, head, data)
       VALUES (?, 'agent_1', 1, 'idle', '', '', 0, ?, '', '{"title":"kept"}')`,
    ).run(id, id === 'sesn_long' ? log.length : 0);
  }
  const insert = db.prepare(
    `INSERT INTO events (session, seq, id, type, payload, internal, ref, key, idx, hash, created_at)
     VALUES ('sesn_long', ?, ?, ?, ?, ?, ?, ?, 0, '', '')`,
  );
  for (const row of rows) insert.run(...row);
  db.close();

  const store = await stores.open({ dir });
  expect((await store.sessions.get('sesn_empty'))?.data).toEqual({ title: 'kept', log: { ...EMPTY_LOG } });
  expect((await store.sessions.get('sesn_long'))?.data).toEqual({ title: 'kept', log: summaryOf(log) });
  expect(summaryOf(log).open_tool_uses).toHaveLength(2);
  expect(Object.values(summaryOf(log)).every((value) => value !== 0)).toBe(true);
});

/** A log with events of every kind, and its rows. */
function aSession(): {
  readonly log: readonly LogEvent[];
  readonly rows: readonly (string | number | null)[][];
} {
  const mark = { reply: { id: 'msg_1', cursor: 2 } };
  const use = { name: 'bash', input: {}, evaluated_permission: 'allow' };
  const events: { type: string; body: object; internal?: object; ref?: string }[] = [
    { type: 'user.interrupt', body: {} },
    { type: 'user.message', body: { content: [] } },
    { type: 'agent.tool_use', body: use, internal: mark },
    { type: 'agent.custom_tool_use', body: { name: 'c', input: {} }, internal: mark },
    { type: 'agent.tool_use', body: use, internal: mark },
    { type: 'agent.custom_tool_use', body: { name: 'c', input: {} }, internal: mark },
    { type: 'agent.tool_result', body: { tool_use_id: 'e3', content: [], is_error: false }, ref: 'e3' },
    { type: 'user.custom_tool_result', body: { custom_tool_use_id: 'e6' }, ref: 'e6' },
    { type: 'user.tool_confirmation', body: { tool_use_id: 'e5', result: 'allow' }, ref: 'e5' },
    request(4),
  ];
  const log = events.map(
    ({ type, body, internal = {} }, index) =>
      ({ type, body, internal, seq: index + 1, id: `e${index + 1}` }) as LogEvent,
  );
  const rows = events.map(({ type, body, internal, ref }, index) => [
    index + 1,
    `e${index + 1}`,
    type,
    JSON.stringify(body),
    internal === undefined ? null : JSON.stringify(internal),
    ref ?? null,
    `k${index}`,
  ]);
  return { log, rows };
}
