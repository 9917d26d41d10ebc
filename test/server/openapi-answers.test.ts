import { ApiError } from '@steadyhand/contracts';
import { clientKey } from '../../server/auth/client-key.ts';
import type { OpenApiDocument } from '../../server/routing/document.ts';
import { END_TURN, requiresAction, statusIdle, statusRunning, toolResult } from '../../sessions/index.ts';
import { createDefaultProviders } from '../../messages/index.ts';
import {
  append,
  type NewEvent,
  sessionError,
  modelRequestEnd,
  modelRequestStart,
} from '../../sessions/index.ts';
import { type Described, described } from '../support/described.ts';
import { ask, type Running, startServer, stopServers } from './harness.ts';
import { toolUse } from '../support/blocks.ts';

afterEach(stopServers);

/** What the server really answers, held against its own description of the agent API. */

const JSON_HEADERS = { 'content-type': 'application/json' };

interface Face {
  readonly api: Described;
  /** What was not as described so far, or not as expected. */
  readonly faults: string[];
  /** Sends a request and holds its body and its answer against the description. Answers with the body. */
  readonly call: (
    route: string,
    place: string,
    body?: unknown,
    status?: number,
  ) => Promise<Record<string, unknown>>;
}

async function faceOf({ url }: Running): Promise<Face> {
  const api = described((await ask(`${url}/v1/openapi.json`)).body as unknown as OpenApiDocument);
  const faults: string[] = [];
  return {
    api,
    faults,
    async call(route, place, body, status = 200) {
      const [method = ''] = route.split(' ');
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_HEADERS };
      const answer = await ask(`${url}${place}`, { method, ...sent });
      const media = answer.headers.get('content-type')?.split(';')[0] ?? '';
      const found = [
        ...(answer.status === status ? [] : [`answered ${answer.status}: ${JSON.stringify(answer.body)}`]),
        ...(body !== undefined && status === 200 ? api.bodyFaults(route, body) : []),
        ...api.answerFaults(route, answer.status, media, answer.body),
      ];
      faults.push(...found.map((fault) => `${route} ${place}: ${fault}`));
      return answer.body;
    },
  };
}

const TOOLS = [
  { type: 'agent_toolset_20260401', configs: [{ name: 'write', permission_policy: { type: 'always_ask' } }] },
  {
    type: 'computer_20241022',
    name: 'computer',
    display_width_px: 1024,
    display_height_px: 768,
    display_number: 1,
  },
  {
    type: 'custom',
    name: 'weather',
    description: 'Tells it',
    input_schema: { type: 'object', properties: {} },
  },
];

const NETWORK_REQUEST = {
  number: 1,
  at: new Date(0).toISOString(),
  host: 'example.com',
  port: 443,
  method: 'CONNECT',
  verdict: 'denied',
  reason: 'the host and port are not among the allowed ones',
  bytes_sent: 0,
  bytes_received: 0,
  duration_ms: 1,
} as const;

test('agents and environments', async () => {
  const { call, faults } = await faceOf(await startServer());
  const model = { id: 'script', effort: 'high', speed: 'fast', inference_geo: 'eu' };
  const made = await call('POST /v1/agents', '/v1/agents', {
    name: 'One',
    model,
    tools: TOOLS,
    metadata: { a: 'b' },
  });
  const id = String(made['id']);
  await call('POST /v1/agents', '/v1/agents', {
    name: 'Two',
    model: 'script',
    mcp_servers: [],
    skills: null,
  });
  await call('GET /v1/agents', '/v1/agents?limit=1');
  await call('GET /v1/agents/{id}', `/v1/agents/${id}?version=1`);
  await call('POST /v1/agents/{id}', `/v1/agents/${id}`, {
    version: 1,
    description: 'x',
    metadata: { a: null },
  });
  await call('POST /v1/agents/{id}', `/v1/agents/${id}`, { version: 1 }, 409);
  await call('GET /v1/agents/{id}/versions', `/v1/agents/${id}/versions`);
  await call('POST /v1/agents/{id}/archive', `/v1/agents/${id}/archive`);
  await call('GET /v1/agents/{id}', '/v1/agents/agent_none', undefined, 404);
  await call('POST /v1/agents', '/v1/agents', { name: '' }, 400);

  const networking = { type: 'limited', allowed_hosts: ['example.com'] };
  const env = await call('POST /v1/environments', '/v1/environments', {
    name: 'cloud',
    config: { type: 'cloud', networking },
  });
  await call('POST /v1/environments', '/v1/environments', { name: 'own', config: { type: 'self_hosted' } });
  await call('GET /v1/environments', '/v1/environments');
  const place = `/v1/environments/${String(env['id'])}`;
  await call('GET /v1/environments/{id}', place);
  await call('POST /v1/environments/{id}', place, { description: null, metadata: { kept: 'yes' } });
  await call('POST /v1/environments/{id}/archive', `${place}/archive`);
  await call('DELETE /v1/environments/{id}', place);
  await call('GET /v1/environments/{id}', place, undefined, 404);
  expect(faults).toEqual([]);
});

test('sessions and their events, of every kind that is written', async () => {
  const running = await startServer();
  const { call, api, faults } = await faceOf(running);
  const agent = await call('POST /v1/agents', '/v1/agents', { name: 'One', model: 'script', tools: TOOLS });
  const made = await call('POST /v1/sessions', '/v1/sessions', {
    agent: { type: 'agent_with_overrides', id: agent['id'], system: 'Be brief' },
    title: 'Everything',
    limits: { max_turns: 5, max_tokens: null },
    initial_events: [{ type: 'user.message', content: 'go' }],
  });
  const session = String(made['id']);
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } } as const;

  let step = 0;
  const write = async (...events: NewEvent[]): Promise<readonly string[]> => {
    const appended = await append(running.store, { session, key: `step-${++step}`, events });
    return appended.events.map(({ id }) => id);
  };
  await write(statusRunning());
  const [start = ''] = await write(modelRequestStart());
  await write(
    { type: 'agent.thinking', body: {} },
    { type: 'agent.message', body: { content: [{ type: 'text', text: 'Looking' }] } },
    modelRequestEnd(start, {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    }),
  );
  const use = { name: 'computer', input: { action: 'screenshot' } };
  const [shot = ''] = await write({
    type: 'agent.tool_use',
    body: { ...use, evaluated_permission: 'allow' },
  });
  await write(toolResult(shot, { content: [image, { type: 'text', text: 'ok' }], is_error: false }));
  const [asked = ''] = await write({ type: 'agent.tool_use', body: { ...use, evaluated_permission: 'ask' } });
  const click = { name: 'computer', input: { action: 'left_click', coordinate: [1, 1] } };
  const [granted = ''] = await write({
    type: 'agent.tool_use',
    body: { ...click, evaluated_permission: 'ask' },
  });
  const [custom = ''] = await write({ type: 'agent.custom_tool_use', body: { name: 'weather', input: {} } });
  await write(statusIdle(requiresAction([asked, granted, custom])));
  await call('GET /v1/sessions/{id}', `/v1/sessions/${session}`);
  const events = `/v1/sessions/${session}/events`;
  const grants = await call(
    'GET /v1/sessions/{id}/tool_uses/{tool_use}/grants',
    `/v1/sessions/${session}/tool_uses/${granted}/grants`,
  );
  const [grant] = grants['data'] as object[];
  const allowed = await call('POST /v1/sessions/{id}/events', events, {
    events: [{ type: 'user.tool_confirmation', tool_use_id: granted, result: 'allow', grant }],
  });
  const [{ id: grant_id = '' } = {}] = allowed['data'] as { id?: string }[];
  expect(await call('GET /v1/sessions/{id}', `/v1/sessions/${session}`)).toMatchObject({
    grants: [{ id: grant_id, grant: { tool: 'computer', action: 'left_click' } }],
  });
  await call('POST /v1/sessions/{id}/events', events, {
    events: [{ type: 'user.grant_withdrawn', grant_id }],
  });
  await call('POST /v1/sessions/{id}/events', events, {
    events: [
      { type: 'user.tool_confirmation', tool_use_id: asked, result: 'deny', deny_message: 'no' },
      { type: 'user.custom_tool_result', custom_tool_use_id: custom, content: [image] },
    ],
  });
  await call('POST /v1/sessions/{id}/events', events, {
    events: [
      { type: 'user.message', content: [{ type: 'text', text: 'hello' }, image] },
      { type: 'system.message', content: [{ type: 'text', text: 'It is late.' }] },
      { type: 'user.interrupt' },
    ],
  });
  await write(
    sessionError('model_overloaded_error', 'busy', 'retrying'),
    { type: 'session.status_rescheduled', body: {} },
    statusIdle(END_TURN),
  );
  await call('POST /v1/sessions/{id}', `/v1/sessions/${session}`, { title: 'Other', metadata: { k: 'v' } });
  const takeover = { takeover_id: 'tko_1' };
  await write(
    { type: 'sandbox.network_request', body: NETWORK_REQUEST },
    { type: 'sandbox.waiting', body: { sandbox_id: 'sbx_1', message: 'waiting for a computer' } },
    { type: 'sandbox.replaced', body: { sandbox_id: 'sbx_1-2', message: 'A new computer was made.' } },
    { type: 'sandbox.takeover_started', body: takeover },
    {
      type: 'sandbox.takeover_input',
      body: { ...takeover, inputs: [{ type: 'move', at_ms: 1, x: 2, y: 3 }] },
    },
    {
      type: 'sandbox.takeover_ended',
      body: {
        ...takeover,
        reason: 'handed_back',
        duration_ms: 5,
        content: [{ type: 'text', text: 'A person was here.' }],
      },
    },
  );
  await write({ type: 'session.status_terminated', body: {} });

  const all = (await call('GET /v1/sessions/{id}/events', `${events}?limit=1000`))['data'] as {
    type: string;
  }[];
  const described = Object.keys(api.document.components.schemas).filter((name) => /.Event$/.test(name));
  // A log that was deleted has no event left to read; the stream says it.
  expect(new Set(all.map(({ type }) => type)).size).toBe(described.length - 2);
  const links = await call('GET /v1/sessions/{id}/events', `${events}?sources=url&types[]=agent.tool_result`);
  expect(JSON.stringify(links)).toContain('/v1/blobs/');
  await call('GET /v1/sessions', '/v1/sessions?limit=1&order=asc');
  await call('GET /v1/sessions/{id}/recording', `/v1/sessions/${session}/recording`);
  await call('GET /v1/sessions/{id}/state', `/v1/sessions/${session}/state`);
  await call('POST /v1/sessions/{id}/takeover', `/v1/sessions/${session}/takeover`, { record: 'no_keys' });
  const handback = { takeover_id: 'tkov_1' };
  await call('POST /v1/sessions/{id}/handback', `/v1/sessions/${session}/handback`, handback);
  await call('GET /v1/sessions/{id}/takeover', `/v1/sessions/${session}/takeover`);
  await call('POST /v1/sessions/{id}/vnc_ticket', `/v1/sessions/${session}/vnc_ticket`, {}, 409);
  await call('GET /v1/sessions/{id}/events', `${events}?limit=0`, undefined, 400);
  await call('POST /v1/sessions/{id}/archive', `/v1/sessions/${session}/archive`);
  await call('POST /v1/sessions/{id}', `/v1/sessions/${session}`, { title: 'Late' }, 409);
  await call('DELETE /v1/sessions/{id}', `/v1/sessions/${session}`);
  await call('GET /v1/sessions/{id}', `/v1/sessions/${session}`, undefined, 404);
  expect(faults).toEqual([]);
});

test('messages', async () => {
  const { call, faults } = await faceOf(await startServer({ providers: createDefaultProviders({}) }));
  const ask = { model: 'script', max_tokens: 100 };
  await call('POST /v1/messages', '/v1/messages', {
    ...ask,
    messages: [{ role: 'user', content: [{ type: 'text', text: '- say: hello' }] }],
    tool_choice: 'auto',
    tools: [{ name: 'weather', description: 'x', input_schema: { type: 'object' } }],
  });
  await call('POST /v1/messages', '/v1/messages', { ...ask, messages: [] }, 400);
  const counted = { model: 'script', messages: [{ role: 'user', content: 'hello' }] };
  await call('POST /v1/messages/count_tokens', '/v1/messages/count_tokens', counted);
  await call('POST /v1/messages/count_tokens', '/v1/messages/count_tokens?beta=true', counted);
  await call(
    'POST /v1/messages/count_tokens',
    '/v1/messages/count_tokens',
    { ...counted, max_tokens: 1 },
    400,
  );
  await call(
    'POST /v1/messages',
    '/v1/messages',
    { ...ask, model: 'none', messages: [{ role: 'user', content: 'x' }] },
    404,
  );
  expect(faults).toEqual([]);
});

test('models and files', async () => {
  const registry = createDefaultProviders({});
  const running = await startServer({ providers: registry, catalog: registry });
  const { call, api, faults } = await faceOf(running);
  await call('GET /v1/models', '/v1/models?limit=1&lifecycle[]=active');
  await call('GET /v1/models/{id}', '/v1/models/script');
  await call('GET /v1/models/{id}', '/v1/models/none', undefined, 404);
  await call('GET /v1/models', '/v1/models?limit=0', undefined, 400);
  await call('GET /v1/providers', '/v1/providers');
  await call('POST /v1/providers/{name}/check', '/v1/providers/script/check', undefined, 400);
  await call('POST /v1/providers/{name}/check', '/v1/providers/nobody/check', undefined, 404);
  await call('GET /v1/key', '/v1/key');
  await call('GET /v1/system', '/v1/system');

  const form = new FormData();
  form.set('file', new File(['text'], 'a.txt'));
  form.set('expires_in_seconds', '3600');
  const made = await ask(`${running.url}/v1/files`, { method: 'POST', body: form });
  faults.push(...api.answerFaults('POST /v1/files', made.status, 'application/json', made.body));
  const place = `/v1/files/${String(made.body['id'])}`;
  await call('GET /v1/files', '/v1/files?limit=1');
  await call('GET /v1/files', '/v1/files?page=x', undefined, 400);
  await call('GET /v1/files/{id}', place);
  await call('DELETE /v1/files/{id}', place);
  await call('GET /v1/files/{id}', place, undefined, 404);
  await call('GET /v1/files/{id}/content', `${place}/content`, undefined, 404);
  expect(faults).toEqual([]);
});

test('sandboxes, and a server that wants its key', async () => {
  const info = {
    id: 'sbx_1',
    status: 'running',
    display: { width: 1024, height: 768 },
    compat: 'default',
    isolation: 'none',
    networking: { type: 'unrestricted' },
    created_at: new Date(0).toISOString(),
    limits: { memory_mib: 4096, processes: 4096, disk_mib: 10_240, files: 1_000_000, cpus: null },
    boot: null,
    reason: null,
  } as const;
  const running = await startServer({
    sandboxes: {
      create: async () => info,
      list: async () => [info],
      get: async (id) => (id === info.id ? info : Promise.reject(new ApiError('not_found_error', 'none'))),
      screenshot: async () => new Uint8Array([1]),
      performAll: async (_id, actions) =>
        actions.map(({ input }) =>
          (input as { command: string }).command === 'lost'
            ? { status: 'unknown', reason: 'the daemon was killed' }
            : { status: 'done', is_error: false, content: [{ type: 'text', text: 'ok' }] },
        ),
      windowTitle: async () => null,
      isKnown: async () => false,
      delete: async () => undefined,
      networkLog: async () => ({ data: [NETWORK_REQUEST], last: 1 }),
    },
  });
  const { call, api, faults } = await faceOf(running);
  await call('GET /v1/sandboxes', '/v1/sandboxes');
  await call('POST /v1/sandboxes', '/v1/sandboxes', {});
  await call('GET /v1/sandboxes/{id}', '/v1/sandboxes/sbx_1');
  await call('GET /v1/sandboxes/{id}', '/v1/sandboxes/sbx_2', undefined, 404);
  await call('GET /v1/sandboxes/{id}/network_log', '/v1/sandboxes/sbx_1/network_log?after=0&limit=5');
  await call('POST /v1/sandboxes/{id}/tool_results', '/v1/sandboxes/sbx_1/tool_results', {
    tools: [{ type: 'bash_20241022', name: 'bash' }],
    content: [
      { type: 'text', text: 'I look' },
      ...['date', 'lost'].map((command) => toolUse(command, 'bash', { command })),
      { type: 'tool_use', id: 'other', name: 'none', input: {} },
    ],
  });
  const shot = await fetch(`${running.url}/v1/sandboxes/sbx_1/screenshot`);
  const media = shot.headers.get('content-type') ?? '';
  expect(api.answerFaults('GET /v1/sandboxes/{id}/screenshot', shot.status, media, '')).toEqual([]);
  await call('DELETE /v1/sandboxes/{id}', '/v1/sandboxes/sbx_1');

  const keyed = await faceOf(
    await startServer({ access: { kind: 'keys', keys: [clientKey('sk-test-0123456789')] } }),
  );
  await keyed.call('GET /v1/sandboxes', '/v1/sandboxes', undefined, 401);
  expect([...faults, ...keyed.faults]).toEqual([]);
});
