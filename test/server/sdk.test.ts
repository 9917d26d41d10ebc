import Anthropic, { BadRequestError, ConflictError, NotFoundError } from '@anthropic-ai/sdk';
import { append, statusRunning } from '../../sessions/index.ts';
import { ask, type Running, startServer, stopServers } from './harness.ts';

/** The official client, unmodified, against the server over a real socket. */

afterEach(stopServers);

interface Started extends Running {
  readonly client: Anthropic;
  /** Of an environment. */
  readonly environment_id: string;
}

async function start(): Promise<Started> {
  const running = await startServer();
  const client = new Anthropic({ baseURL: running.url, apiKey: 'not-asked-for', maxRetries: 0 });
  const { id } = await client.beta.environments.create({ name: 'desk' });
  return { ...running, client, environment_id: id };
}

type AgentTools = NonNullable<Anthropic.Beta.AgentCreateParams['tools']>;
type SentEvents = Anthropic.Beta.Sessions.EventSendParams;
type StreamedEvents = Awaited<ReturnType<Anthropic['beta']['sessions']['events']['stream']>>;

/** The three tools of the seed are ours to take beside the official toolsets, so the client's types lack them. */
const TOOLS = [
  { type: 'bash_20241022', name: 'bash' },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
] as unknown as AgentTools;

function say(text: string): SentEvents {
  return { events: [{ type: 'user.message', content: [{ type: 'text', text }] }] };
}

describe('agents', () => {
  test('are created, retrieved, listed and updated to a new version', async () => {
    const { client } = await start();
    const agent = await client.beta.agents.create({
      name: 'Typist',
      model: 'script',
      system: 'Be brief.',
      tools: TOOLS,
    });
    expect(agent).toMatchObject({ type: 'agent', name: 'Typist', version: 1, model: { id: 'script' } });
    expect(agent.tools?.map(({ type }) => type)).toEqual(TOOLS.map(({ type }) => type));
    expect(await client.beta.agents.retrieve(agent.id)).toEqual(agent);

    const renamed = await client.beta.agents.update(agent.id, { version: 1, name: 'Writer' });
    expect(renamed).toMatchObject({ id: agent.id, name: 'Writer', version: 2 });
    expect(await client.beta.agents.retrieve(agent.id, { version: 1 })).toMatchObject({ name: 'Typist' });
    const names: string[] = [];
    for await (const listed of client.beta.agents.list()) names.push(listed.name);
    expect(names).toEqual(['Writer']);
  });

  test('a missing one is the client’s NotFoundError, with the request id of the log', async () => {
    const { client, logged } = await start();
    const error = await client.beta.agents.retrieve('agent_none').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      status: 404,
      error: { error: { message: 'Agent not found: agent_none' } },
    });
    const { requestID } = error as NotFoundError;
    expect(logged).toContainEqual(expect.objectContaining({ request_id: requestID, status: 404 }));
  });

  test('a wrong field is named', async () => {
    const { client } = await start();
    const wrong = client.beta.agents.create({ model: 'script' } as Anthropic.Beta.AgentCreateParams);
    await expect(wrong).rejects.toThrow(BadRequestError);
    await expect(wrong).rejects.toThrow('name: Field required');
  });
});

describe('environments', () => {
  test('are created, retrieved, listed, archived and deleted', async () => {
    const { client } = await start();
    const environment = await client.beta.environments.create({ name: 'desk' });
    expect(await client.beta.environments.retrieve(environment.id)).toEqual(environment);
    expect((await client.beta.environments.list()).data.map(({ id }) => id)).toContain(environment.id);
    expect((await client.beta.environments.archive(environment.id)).archived_at).not.toBeNull();
    expect(await client.beta.environments.delete(environment.id)).toMatchObject({ id: environment.id });
    await expect(client.beta.environments.retrieve(environment.id)).rejects.toThrow(NotFoundError);
  });
});

describe('sessions', () => {
  test('are created, retrieved, updated, archived and deleted, and the running side hears of it', async () => {
    const { client, environment_id, runtimeCalls, url } = await start();
    const agent = await client.beta.agents.create({ name: 'Typist', model: 'script', tools: TOOLS });
    const session = await client.beta.sessions.create({
      agent: agent.id,
      environment_id,
      title: 'First',
      metadata: { ticket: '7' },
    });
    expect(session).toMatchObject({
      type: 'session',
      status: 'idle',
      title: 'First',
      metadata: { ticket: '7' },
      agent: { id: agent.id, version: 1 },
      environment_id,
      sandbox_id: null,
    });
    expect((await client.beta.sessions.retrieve(session.id)).id).toBe(session.id);
    expect((await ask(`${url}/v1/sessions/${session.id}/state`)).body).toEqual({
      type: 'session_state',
      session_id: session.id,
      status: 'idle',
      state: null,
    });
    expect((await client.beta.sessions.update(session.id, { title: 'Second' })).title).toBe('Second');
    expect((await client.beta.sessions.archive(session.id)).archived_at).not.toBeNull();
    expect(await client.beta.sessions.delete(session.id)).toEqual({
      id: session.id,
      type: 'session_deleted',
    });
    expect(runtimeCalls).toEqual([`deliver ${session.id}`, `end ${session.id}`]);
    await expect(client.beta.sessions.retrieve(session.id)).rejects.toThrow(NotFoundError);
    await expect(client.beta.sessions.delete(session.id)).rejects.toThrow(NotFoundError);
    expect(runtimeCalls).toHaveLength(2);
  });

  test('an agent’s parts are replaced in the session alone', async () => {
    const { client, environment_id } = await start();
    const agent = await client.beta.agents.create({ name: 'Typist', model: 'script', system: 'Be brief.' });
    const { agent: used } = await client.beta.sessions.create({
      agent: { type: 'agent_with_overrides', id: agent.id, model: 'script-2', system: null },
      environment_id,
    });
    expect(used).toMatchObject({ id: agent.id, model: { id: 'script-2' }, system: null });
    expect((await client.beta.agents.retrieve(agent.id)).system).toBe('Be brief.');
  });

  test('a list is walked page by page, both ways', async () => {
    const { client, environment_id } = await start();
    const { id: agent } = await client.beta.agents.create({ name: 'Typist', model: 'script' });
    for (const title of ['a', 'b', 'c']) {
      const { created_at } = await client.beta.sessions.create({ agent, environment_id, title });
      // Those of one millisecond are in no order.
      while (new Date().toISOString() <= created_at) await new Promise((resolve) => setImmediate(resolve));
    }
    const titles: (string | null)[] = [];
    for await (const { title } of client.beta.sessions.list({ limit: 2 })) titles.push(title);
    expect(titles).toEqual(['c', 'b', 'a']);
    const first = await client.beta.sessions.list({ limit: 2, order: 'asc' });
    const second = await first.getNextPage();
    expect(second.data.map(({ title }) => title)).toEqual(['c']);
    const back = await client.beta.sessions.list({ limit: 2, order: 'asc', page: second.prev_page ?? '' });
    expect(back.data.map(({ title }) => title)).toEqual(['a', 'b']);
    expect((await client.beta.sessions.list({ statuses: ['running', 'terminated'] })).data).toEqual([]);
  });
});

describe('events', () => {
  async function startSession(): Promise<Started & { readonly id: string }> {
    const running = await start();
    const { environment_id } = running;
    const agent = await running.client.beta.agents.create({ name: 'Typist', model: 'script', tools: TOOLS });
    const { id } = await running.client.beta.sessions.create({
      agent: agent.id,
      environment_id,
    });
    running.runtimeCalls.length = 0;
    return { ...running, id };
  }

  /** The texts of the next `count` messages of a stream. */
  async function texts(stream: StreamedEvents, count: number): Promise<string[]> {
    const heard: string[] = [];
    for await (const event of stream) {
      if (event.type === 'user.message')
        heard.push(JSON.stringify(event.content).replace(/.*"text":"([^"]*)".*/, '$1'));
      if (heard.length === count) break;
    }
    return heard;
  }

  test('initial events start the session', async () => {
    const { client, environment_id, runtimeCalls } = await start();
    const agent = await client.beta.agents.create({ name: 'Typist', model: 'script' });
    const { id } = await client.beta.sessions.create({
      agent: agent.id,
      environment_id,
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'hello' }] }],
    });
    expect(runtimeCalls).toEqual([`deliver ${id}`]);
    expect((await client.beta.sessions.events.list(id)).data).toMatchObject([
      ...say('hello').events,
      { type: 'session.status_running' },
    ]);
  });

  test('are sent, listed and filtered', async () => {
    const { client, id, runtimeCalls } = await startSession();
    const sent = await client.beta.sessions.events.send(id, {
      events: [...say('hello').events, { type: 'user.interrupt' }],
    });
    expect(sent.data).toMatchObject([...say('hello').events, { type: 'user.interrupt' }]);
    expect(runtimeCalls).toEqual([`deliver ${id}`]);
    const { events } = client.beta.sessions;
    expect((await events.list(id, { types: ['user.message', 'user.interrupt'] })).data).toEqual(sent.data);
    expect((await events.list(id, { types: ['user.interrupt'] })).data).toEqual(sent.data?.slice(1));
    expect((await events.list(id, { order: 'desc', limit: 2 })).data[1]).toEqual(sent.data?.[1]);
    expect((await events.list(id, { 'created_at[gt]': '2999-01-01T00:00:00Z' })).data).toEqual([]);
    const walked: string[] = [];
    for await (const { type } of events.list(id, { limit: 1 })) walked.push(type);
    expect(walked).toEqual(['user.message', 'user.interrupt', 'session.status_running']);
  });

  test('a request that is sent again under its key is one message', async () => {
    const { client, id } = await startSession();
    const options = { headers: { 'idempotency-key': 'once' } };
    const first = await client.beta.sessions.events.send(id, say('one'), options);
    const second = await client.beta.sessions.events.send(id, say('one'), options);
    expect(second.data).toEqual(first.data);
    const { data } = await client.beta.sessions.events.list(id, { types: ['user.message'] });
    expect(data).toHaveLength(1);
  });

  test('a wrong event and a session that is no more are refused', async () => {
    const { client, id } = await startSession();
    const { events } = client.beta.sessions;
    await expect(events.send(id, { events: [{ type: 'user.shout' } as never] })).rejects.toThrow(
      BadRequestError,
    );
    await expect(events.send('sesn_none', say('hi'))).rejects.toThrow(NotFoundError);
    await expect(events.list('sesn_none')).rejects.toThrow(NotFoundError);
    await expect(events.stream('sesn_none')).rejects.toThrow(NotFoundError);
    await client.beta.sessions.archive(id);
    await expect(events.send(id, say('hi'))).rejects.toThrow(ConflictError);
  });

  test('a stream begins when it is opened and brings what is appended by anybody', async () => {
    const { client, id, store } = await startSession();
    await client.beta.sessions.events.send(id, say('before'));
    const stream = await client.beta.sessions.events.stream(id);
    await append(store, { session: id, key: 'elsewhere', events: [statusRunning()] });
    await client.beta.sessions.events.send(id, say('after'));
    const types: string[] = [];
    for await (const event of stream) if (types.push(event.type) === 2) break;
    expect(types).toEqual(['session.status_running', 'user.message']);
  });

  test('HEAD of a stream is its headers alone', async () => {
    const { id, url } = await startSession();
    const response = await fetch(`${url}/v1/sessions/${id}/events/stream`, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  test('a stream that was cut goes on where it broke, without a gap or a repetition', async () => {
    const { client, id } = await startSession();
    const { events } = client.beta.sessions;
    const stream = await events.stream(id);
    const sent = await events.send(id, say('one'));
    expect(await texts(stream, 1)).toEqual(['one']);
    await events.send(id, say('two'));
    await events.send(id, say('three'));
    const headers = { 'last-event-id': sent.data?.at(-1)?.id ?? '' };
    expect(await texts(await events.stream(id, {}, { headers }), 2)).toEqual(['two', 'three']);
  });

  test('a reader that stays away from its stream loses nothing', async () => {
    const { client, id } = await startSession();
    const { events } = client.beta.sessions;
    const stream = await events.stream(id);
    const long = 'x'.repeat(200_000);
    for (let count = 0; count < 20; count++) await events.send(id, say(`${count} ${long}`));
    expect((await texts(stream, 20)).map((text) => text.split(' ')[0])).toEqual(
      Array.from({ length: 20 }, (_, count) => String(count)),
    );
  });

  test('a stream ends with its session, and when the server drains', async () => {
    const { client, environment_id, id, server } = await startSession();
    const streams = await Promise.all([
      client.beta.sessions.events.stream(id),
      client.beta.sessions.events.stream(id),
    ]);
    await client.beta.sessions.delete(id);
    for (const stream of streams) {
      let last = '';
      for await (const { type } of stream) last = type;
      expect(last).toBe('session.deleted');
    }

    const agent = await client.beta.agents.create({ name: 'Typist', model: 'script' });
    const other = await client.beta.sessions.create({ agent: agent.id, environment_id });
    const stream = await client.beta.sessions.events.stream(other.id);
    const heard = texts(stream, 1);
    await server.close(60_000);
    expect(await heard).toEqual([]);
  });
});
