import Anthropic from '@anthropic-ai/sdk';
import type { Server } from 'node:http';
import {
  append,
  createSessions,
  END_TURN,
  replyEvents,
  requiresAction,
  type SessionEvent,
  type Sessions,
  statusIdle,
  statusRunning,
  toolResult,
} from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { serve } from './http-server.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();
const PNG = Buffer.from('a picture').toString('base64');
let store: Store;
let sessions: Sessions;
let client: Anthropic;
let server: Server;
let now = Date.parse('2026-01-01T00:00:00Z');

beforeAll(async () => {
  const clock = (): number => (now += 1000);
  store = await stores.open({ now: clock, pollMs: 5 });
  sessions = createSessions({ store, now: clock });
  const face = await serve(sessions, store.blobs);
  server = face.server;
  client = new Anthropic({ apiKey: 'k', baseURL: face.url, maxRetries: 0 });
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function newSession(): Promise<string> {
  const agent = await client.beta.agents.create({
    name: 'n',
    model: 'script',
    tools: [
      { type: 'agent_toolset_20260401', default_config: { permission_policy: { type: 'always_ask' } } },
      { type: 'custom', name: 'weather', description: 'd', input_schema: { type: 'object' } },
    ],
  });
  const environment = await client.beta.environments.create({ name: 'e' });
  return (await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id })).id;
}

describe('the unmodified SDK', () => {
  it('makes agents, changes them and pages through their versions', async () => {
    const made = await client.beta.agents.create({
      name: 'first',
      model: { id: 'claude-opus-5-5', effort: 'high' },
      system: 'Be brief.',
      metadata: { team: 'a' },
      tools: [
        {
          type: 'agent_toolset_20260401',
          configs: [{ name: 'bash', permission_policy: { type: 'always_ask' } }],
        },
      ],
    });
    expect(made).toMatchObject({
      type: 'agent',
      version: 1,
      model: { id: 'claude-opus-5-5', effort: { type: 'high' } },
      metadata: { team: 'a' },
      archived_at: null,
    });
    const [toolset] = made.tools;
    expect(toolset?.type === 'agent_toolset_20260401' ? toolset.configs.slice(0, 2) : []).toEqual([
      { name: 'bash', type: 'bash', enabled: true, permission_policy: { type: 'always_ask' } },
      { name: 'edit', type: 'edit', enabled: true, permission_policy: { type: 'always_allow' } },
    ]);
    const changed = await client.beta.agents.update(made.id, {
      version: 1,
      system: null,
      metadata: { team: null, b: '2' },
    });
    expect(changed).toMatchObject({ version: 2, system: null, metadata: { b: '2' }, name: 'first' });
    expect((await client.beta.agents.update(made.id, { name: 'first' })).version).toBe(2);
    await expect(client.beta.agents.update(made.id, { version: 1, name: 'x' })).rejects.toMatchObject({
      status: 409,
    });
    expect((await client.beta.agents.retrieve(made.id, { version: 1 })).system).toBe('Be brief.');
    const versions: number[] = [];
    for await (const { version } of client.beta.agents.versions.list(made.id, { limit: 1 }))
      versions.push(version);
    expect(versions).toEqual([2, 1]);
    expect((await client.beta.agents.archive(made.id)).archived_at).not.toBeNull();
    await expect(
      client.beta.sessions.create({ agent: made.id, environment_id: 'env_default' }),
    ).rejects.toMatchObject({ status: 409 });
  });

  it('pages through agents and environments', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await client.beta.environments.create({ name: `e${n}` })).id);
    const listed: string[] = [];
    for await (const { id } of client.beta.environments.list({ limit: 2 })) listed.push(id);
    expect(listed.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
    const gone = ids[0] ?? '';
    expect(await client.beta.environments.delete(gone)).toEqual({ id: gone, type: 'environment_deleted' });
    await expect(client.beta.environments.retrieve(gone)).rejects.toMatchObject({ status: 404 });
    await client.beta.environments.archive(ids[1] ?? '');
    const page = await client.beta.environments.list({ limit: 1000 });
    expect(page.data.map(({ id }) => id)).not.toContain(ids[1]);
  });

  it('creates a session with overrides and first words, and finds it as it is', async () => {
    const agent = await client.beta.agents.create({ name: 'a', model: 'one', system: 's' });
    const session = await client.beta.sessions.create({
      agent: { type: 'agent_with_overrides', id: agent.id, version: 1, model: 'other', system: null },
      environment_id: (await client.beta.environments.create({ name: 'e' })).id,
      title: 't',
      metadata: { k: 'v' },
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'hello' }] }],
    });
    expect(session).toMatchObject({
      type: 'session',
      status: 'running',
      title: 't',
      metadata: { k: 'v' },
      budget: null,
      agent: {
        type: 'agent',
        id: agent.id,
        version: 1,
        name: 'a',
        model: { id: 'other' },
        system: null,
        tools: [],
      },
      sandbox_id: null,
      limits: { max_turns: null, max_tokens: null },
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    const { data } = await client.beta.sessions.events.list(session.id);
    expect(data).toMatchObject([
      { type: 'user.message', content: [{ type: 'text', text: 'hello' }] },
      { type: 'session.status_running' },
    ]);
    expect(await store.events.undelivered(session.id)).toHaveLength(1);
    const updated = await client.beta.sessions.update(session.id, { title: 'new', metadata: { k: null } });
    expect(updated).toMatchObject({ title: 'new', metadata: {} });
    const events = await client.beta.sessions.events.list(session.id, { order: 'desc', limit: 1 });
    expect(events.data[0]).toMatchObject({ type: 'session.updated', title: 'new', metadata: {} });
    expect(await client.beta.sessions.retrieve(session.id)).toMatchObject({ id: session.id, title: 'new' });
  });

  it('pages through sessions both ways, filtered', async () => {
    const agent = await client.beta.agents.create({ name: 'pages', model: 'script' });
    const environment_id = (await client.beta.environments.create({ name: 'e' })).id;
    const ids: string[] = [];
    const times: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { id, created_at } = await client.beta.sessions.create({ agent: agent.id, environment_id });
      ids.push(id);
      times.push(created_at);
    }
    await append(store, { session: ids[1] ?? '', key: 'k', events: [statusRunning()] });
    const list = async (params: Anthropic.Beta.SessionListParams): Promise<string[]> => {
      const found: string[] = [];
      for await (const { id } of client.beta.sessions.list({ agent_id: agent.id, ...params })) found.push(id);
      return found;
    };
    expect(await list({ limit: 2 })).toEqual(ids.toReversed());
    expect(await list({ limit: 2, order: 'asc' })).toEqual(ids);
    expect(await list({ statuses: ['running', 'terminated'] })).toEqual([ids[1]]);
    expect(await list({ 'created_at[gt]': times[1] ?? '', 'created_at[lte]': times[3] ?? '' })).toEqual([
      ids[3],
      ids[2],
    ]);
    expect(await list({ agent_version: 2 })).toEqual([]);
    expect(await list({ deployment_id: 'd' })).toEqual([]);

    const first = await client.beta.sessions.list({ agent_id: agent.id, limit: 2 });
    expect(first.prev_page).toBeNull();
    const second = await first.getNextPage();
    const third = await second.getNextPage();
    expect([first, second, third].map(({ data }) => data.map(({ id }) => id))).toEqual([
      [ids[4], ids[3]],
      [ids[2], ids[1]],
      [ids[0]],
    ]);
    expect(third.next_page).toBeNull();
    const back = await client.beta.sessions.list({ agent_id: agent.id, limit: 2, page: third.prev_page });
    expect(back.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const start = await client.beta.sessions.list({ agent_id: agent.id, limit: 2, page: back.prev_page });
    expect(start.data.map(({ id }) => id)).toEqual([ids[4], ids[3]]);
    expect(start.prev_page).toBeNull();

    expect(await client.beta.sessions.delete(ids[0] ?? '')).toEqual({ id: ids[0], type: 'session_deleted' });
    expect((await client.beta.sessions.archive(ids[2] ?? '')).archived_at).not.toBeNull();
    expect(await list({})).toEqual([ids[4], ids[3], ids[1]]);
    expect(await list({ include_archived: true })).toHaveLength(4);
    await expect(client.beta.sessions.retrieve(ids[0] ?? '')).rejects.toMatchObject({
      status: 404,
      error: { error: { type: 'not_found_error', message: `Session not found: ${ids[0]}` } },
    });
  });

  it('streams a turn as it happens, confirms a tool use, and gets pictures whole', async () => {
    const session = await newSession();
    const stream = await client.beta.sessions.events.stream(session);
    const seen: SessionEvent[] = [];
    const reading = (async () => {
      for await (const event of stream) {
        seen.push(event as SessionEvent);
        if (event.type === 'session.status_idle' && event.stop_reason.type === 'end_turn') break;
      }
    })();

    const sent = await client.beta.sessions.events.send(session, {
      events: [{ type: 'user.message', content: [{ type: 'text', text: 'go' }] }],
    });
    expect(sent.data).toMatchObject([{ type: 'user.message', content: [{ type: 'text', text: 'go' }] }]);
    const { tools } = (await sessions.retrieve(session)).agent;
    const content = [{ type: 'tool_use' as const, id: 'toolu_1', name: 'bash', input: { command: 'ls' } }];
    const asked = await appendTo(store, session, 'reply', [
      ...replyEvents({ id: 'msg_1', content }, 1, tools),
    ]);
    const use = asked.events[0]?.id ?? '';
    await append(store, { session, key: 'ask', events: [statusIdle(requiresAction([use]))] });
    await client.beta.sessions.events.send(session, {
      events: [{ type: 'user.tool_confirmation', tool_use_id: use, result: 'allow' }],
    });
    await appendTo(store, session, 'result', [
      toolResult(use, {
        is_error: false,
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
      }),
      statusIdle(END_TURN),
    ]);
    await reading;
    expect(seen.map(({ type }) => type)).toEqual([
      'user.message',
      'session.status_running',
      'agent.tool_use',
      'session.status_idle',
      'user.tool_confirmation',
      'session.status_running',
      'agent.tool_result',
      'session.status_idle',
    ]);
    expect(seen[2]).toEqual({
      id: use,
      type: 'agent.tool_use',
      processed_at: expect.stringMatching(/^2026-01-01T/) as string,
      name: 'bash',
      input: { command: 'ls' },
      evaluated_permission: 'ask',
      evaluation: { type: 'always_ask' },
    });
    expect(seen[6]).toMatchObject({
      tool_use_id: use,
      is_error: false,
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
    });

    const pages: string[] = [];
    for await (const { id } of client.beta.sessions.events.list(session, { limit: 2 })) pages.push(id);
    expect(pages).toEqual(seen.map(({ id }) => id));
    const desc: string[] = [];
    for await (const { id } of client.beta.sessions.events.list(session, { limit: 3, order: 'desc' }))
      desc.push(id);
    expect(desc).toEqual(pages.toReversed());
    const some = await client.beta.sessions.events.list(session, {
      types: ['agent.tool_use', 'agent.tool_result'],
    });
    expect(some.data.map(({ id }) => id)).toEqual([use, seen[6]?.id]);
    const [, second] = seen;
    const at = (second as { processed_at: string }).processed_at;
    const later = await client.beta.sessions.events.list(session, { 'created_at[gt]': at });
    expect(later.data.map(({ id }) => id)).toEqual(pages.slice(2));
  });

  it('takes up a stream after an event, and hears of the end of a session', async () => {
    const session = await newSession();
    const send = async (text: string): Promise<string> => {
      const { data } = await client.beta.sessions.events.send(session, {
        events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
      });
      return data?.[0]?.id ?? '';
    };
    const [first, second, third] = [await send('1'), await send('2'), await send('3')];
    const stream = await client.beta.sessions.events.stream(
      session,
      {},
      { headers: { 'Last-Event-ID': first } },
    );
    const seen: (string | undefined)[] = [];
    for await (const event of stream) {
      const isEnd = event.type === 'session.deleted' || event.type === 'session.status_terminated';
      seen.push(isEnd ? event.type : 'id' in event ? event.id : undefined);
      if (seen.length === 3) await client.beta.sessions.delete(session);
    }
    expect(seen.slice(1)).toEqual([second, third, 'session.status_terminated', 'session.deleted']);
  });

  it('is told what is wrong in words that name the field', async () => {
    const session = await newSession();
    const send = client.beta.sessions.events.send(session, {
      events: [{ type: 'user.define_outcome', description: 'x', rubric: { type: 'text', content: 'x' } }],
    });
    await expect(send).rejects.toMatchObject({
      status: 400,
      error: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message:
            "events.0: Input tag 'user.define_outcome' found using 'type' does not match any of the expected tags: " +
            "'system.message', 'user.custom_tool_result', 'user.grant_withdrawn', 'user.interrupt', 'user.message', " +
            "'user.tool_confirmation', 'user.tool_result'",
        },
      },
    });
    await expect(client.beta.sessions.events.stream('sesn_none')).rejects.toMatchObject({ status: 404 });
  });
});
