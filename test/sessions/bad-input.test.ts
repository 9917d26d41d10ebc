import { createSessions, type Sessions } from '../../sessions/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { listed } from './listed.ts';
import { computerTool } from '../support/blocks.ts';

/** Every `type` of an agent's tool, as errors list them. */
const TOOL_TYPES = [
  'agent_toolset_20260401',
  'bash_20241022',
  'bash_20250124',
  'computer_20241022',
  'computer_20250124',
  'computer_20251124',
  'computer_toolset_20260801',
  'custom',
  'text_editor_20241022',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
]
  .map((type) => `'${type}'`)
  .join(', ');

const NO_SEARCH = "'web_search' is not available here: there is no search service behind this server";
const PRESENT = "'bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch' are";

const stores = temporaryStores();
let sessions: Sessions;
let agent = '';
let session = '';

beforeAll(async () => {
  const store = await stores.open();
  sessions = createSessions({ store });
  agent = (await sessions.agents.create({ name: 'a', model: 'script' })).id;
  session = (await sessions.create({ agent })).id;
});

const computer = computerTool('computer_20241022', 1024, 768);
const long = (length: number): string => 'x'.repeat(length);
/** The head of a PNG file of that size. */
function png(width: number, height: number): string {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000080600000000000000', 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}
const pairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

describe('an agent', () => {
  const make = (change: object): object => ({ name: 'a', model: 'm', ...change });
  const tools = (...list: object[]): object => make({ tools: list });

  it.each<[unknown, string]>([
    [undefined, 'name: Field required'],
    [[], 'Input should be a valid dictionary or object to extract fields from'],
    [{ model: 'm' }, 'name: Field required'],
    [{ name: 'a' }, 'model: Field required'],
    [make({ name: '' }), 'name: String should have at least 1 character'],
    [make({ name: long(257) }), 'name: String should have at most 256 characters'],
    [make({ name: 1 }), 'name: Input should be a valid string'],
    [make({ model: '' }), 'model: String should have at least 1 character'],
    [make({ model: 5 }), 'model: Input should be a valid dictionary or object to extract fields from'],
    [make({ model: {} }), 'model.id: Field required'],
    [make({ model: { id: 'm', speed: 'slow' } }), "model.speed: Input should be 'standard' or 'fast'"],
    [
      make({ model: { id: 'm', effort: 'some' } }),
      "model.effort: Input should be 'low', 'medium', 'high', 'xhigh', 'max'",
    ],
    [make({ model: { id: 'm', size: 1 } }), 'model.size: Extra inputs are not permitted'],
    [make({ system: long(100_001) }), 'system: String should have at most 100000 characters'],
    [make({ colour: 'red' }), 'colour: Extra inputs are not permitted'],
    [make({ metadata: pairs(17) }), 'metadata: Metadata can have at most 16 keys'],
    [make({ metadata: { k: long(513) } }), 'metadata.k: String should have at most 512 characters'],
    [make({ metadata: { k: 1 } }), 'metadata.k: Input should be a valid string'],
    [
      make({ mcp_servers: [{ type: 'url', name: 'n', url: 'u' }] }),
      'mcp_servers: MCP servers are not supported',
    ],
    [make({ skills: [{}] }), 'skills: Skills are not supported'],
    [make({ multiagent: {} }), 'multiagent: Multiagent orchestration is not supported'],
    [make({ tools: {} }), 'tools: Input should be a valid list'],
    [
      tools({ type: 'mcp_toolset', mcp_server_name: 'n' }),
      "tools.0: Input tag 'mcp_toolset' found using 'type' does not match any of the expected tags: " +
        TOOL_TYPES,
    ],
    [tools({ name: 'x' }), 'tools.0.type: Field required'],
    [tools({ ...computer, name: 'mouse' }), "tools.0.name: Input should be 'computer'"],
    [tools({ ...computer, display_width_px: undefined }), 'tools.0.display_width_px: Field required'],
    [
      tools({ ...computer, display_width_px: '1' }),
      'tools.0.display_width_px: Input should be a valid integer',
    ],
    [
      tools({ ...computer, display_width_px: 1.5 }),
      'tools.0.display_width_px: Input should be a valid integer',
    ],
    [
      tools({ ...computer, display_height_px: 0 }),
      'tools.0.display_height_px: Input should be greater than or equal to 1',
    ],
    [
      tools(computer, { type: 'bash_20241022', name: 'bash', description: 'd' }),
      'tools.1.description: Extra inputs are not permitted',
    ],
    [tools({ ...computer, tool_schema: {} }), 'tools.0.tool_schema: Extra inputs are not permitted'],
    [
      tools({ ...computer, permission_policy: { type: 'auto' } }),
      "tools.0.permission_policy: Input tag 'auto' found using 'type' does not match any of the expected tags: " +
        "'always_allow', 'always_ask'",
    ],
    [
      tools({ type: 'bash_20241022', name: 'bash' }, { type: 'agent_toolset_20260401' }),
      'tools: Tool names must be unique.',
    ],
    [
      tools({ type: 'agent_toolset_20260401', configs: [{ name: 'web_search', enabled: true }] }),
      `tools.0.configs.0.enabled: ${NO_SEARCH}; ${PRESENT}`,
    ],
    [
      tools({ type: 'agent_toolset_20260401', configs: [{ name: 'web_search' }] }),
      `tools.0.configs.0.name: ${NO_SEARCH}; ${PRESENT}`,
    ],
    [
      tools({
        type: 'agent_toolset_20260401',
        configs: [{ name: 'web_search', enabled: false, allowed_domains: ['a.example'] }],
      }),
      `tools.0.configs.0.allowed_domains: ${NO_SEARCH}`,
    ],
    [
      tools({ type: 'agent_toolset_20260401', configs: [{ name: 'bash', allowed_domains: ['a.example'] }] }),
      'tools.0.configs.0.allowed_domains: Extra inputs are not permitted',
    ],
    [
      tools({
        type: 'agent_toolset_20260401',
        configs: [{ name: 'web_fetch', allowed_domains: ['a.example'], blocked_domains: ['b.example'] }],
      }),
      'tools.0.configs.0.blocked_domains: cannot be combined with allowed_domains',
    ],
    [
      tools({
        type: 'agent_toolset_20260401',
        configs: [{ name: 'web_fetch', allowed_domains: ['https://a.example'] }],
      }),
      'tools.0.configs.0.allowed_domains.0: a domain is a plain host name such as docs.example.com, without scheme, port or path',
    ],
    [
      tools({
        type: 'agent_toolset_20260401',
        configs: [{ name: 'web_fetch', url_sources: { user_input: 'none' } }],
      }),
      'tools.0.configs.0.url_sources: not supported here: every URL may be fetched that allowed_domains and the rules let through',
    ],
    [
      tools({ type: 'agent_toolset_20260401', configs: [{ name: 'bash' }, { name: 'bash' }] }),
      "tools.0.configs.1.name: 'bash' is configured more than once",
    ],
    [
      tools({ type: 'agent_toolset_20260401', configs: [{ name: 'bash', type: 'edit' }] }),
      "tools.0.configs.0.type: Input should be 'bash'",
    ],
    [
      tools({ type: 'custom', name: 'no spaces', description: 'd', input_schema: { type: 'object' } }),
      "tools.0.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    [
      tools({ type: 'custom', name: 'n', description: 'd', input_schema: { type: 'array' } }),
      "tools.0.input_schema.type: Input should be 'object'",
    ],
  ])('%j is refused: %s', async (body, message) => {
    await expect(sessions.agents.create(body)).rejects.toMatchObject({ status: 400, message });
  });

  it('that is not there is not found', async () => {
    const missing = { status: 404, message: 'Agent not found: agent_x' };
    await expect(sessions.agents.retrieve('agent_x')).rejects.toMatchObject(missing);
    await expect(sessions.agents.update('agent_x', {})).rejects.toMatchObject(missing);
    await expect(sessions.agents.archive('agent_x')).rejects.toMatchObject(missing);
    await expect(sessions.agents.versions('agent_x')).rejects.toMatchObject(missing);
    await expect(sessions.agents.retrieve(agent, new URLSearchParams('version=7'))).rejects.toMatchObject({
      status: 404,
      message: `Agent version 7 not found: ${agent}`,
    });
  });

  it('keeps within its metadata when it is changed', async () => {
    const { id } = await sessions.agents.create(make({ metadata: pairs(16) }));
    await expect(sessions.agents.update(id, { metadata: { more: 'v' } })).rejects.toMatchObject({
      status: 400,
      message: 'metadata: Metadata can have at most 16 keys',
    });
    expect((await sessions.agents.update(id, { metadata: { k0: null, more: 'v' } })).version).toBe(2);
  });
});

describe('an environment', () => {
  it.each<[unknown, string]>([
    [{}, 'name: Field required'],
    [
      { name: 'e', config: { type: 'moon' } },
      "config: Input tag 'moon' found using 'type' does not match any of the expected tags: 'cloud', 'self_hosted'",
    ],
    [
      { name: 'e', config: { type: 'cloud', packages: { pip: ['-r file'] } } },
      'config.packages.pip.0: expected the name of a package of pip, perhaps with a version: numpy, numpy==1.26.4 or uvicorn[standard]>=0.30,<1',
    ],
    [{ name: 'e', config: { type: 'self_hosted', x: 1 } }, 'config.x: Extra inputs are not permitted'],
    [{ name: 'e', scope: 'account' }, "scope: Input should be 'organization'"],
  ])('%j is refused: %s', async (body, message) => {
    await expect(sessions.environments.create(body)).rejects.toMatchObject({ status: 400, message });
  });

  it('that is not there is not found', async () => {
    const missing = { status: 404, message: 'Environment not found: env_x' };
    await expect(sessions.environments.retrieve('env_x')).rejects.toMatchObject(missing);
    await expect(sessions.environments.archive('env_x')).rejects.toMatchObject(missing);
    await expect(sessions.environments.delete('env_x')).rejects.toMatchObject(missing);
    await expect(sessions.create({ agent, environment_id: 'env_x' })).rejects.toMatchObject(missing);
  });
});

describe('a session', () => {
  const message = (content: unknown): object => ({
    agent,
    initial_events: [{ type: 'user.message', content }],
  });

  it.each<[() => unknown, string]>([
    [() => ({}), 'agent: Field required'],
    [() => ({ agent: 5 }), 'agent: Input should be a valid dictionary or object to extract fields from'],
    [() => ({ agent: { type: 'agent' } }), 'agent.id: Field required'],
    [
      () => ({ agent: { type: 'agent', id: agent, model: 'm' } }),
      'agent.model: Extra inputs are not permitted',
    ],
    [
      () => ({ agent: { type: 'agent', id: agent, version: 0 } }),
      'agent.version: Input should be greater than or equal to 1',
    ],
    [
      () => ({ agent: { type: 'agent_with_overrides', id: agent, tools: [{ type: 'x' }] } }),
      "agent.tools.0: Input tag 'x' found using 'type' does not match any of the expected tags: " +
        TOOL_TYPES,
    ],
    [
      () => ({ agent, limits: { max_turns: 0 } }),
      'limits.max_turns: Input should be greater than or equal to 1',
    ],
    [() => ({ agent, limits: { max_time: 1 } }), 'limits.max_time: Extra inputs are not permitted'],
    [
      () => ({ agent, budget: { type: 'limit', max_list_cost: { amount: '1', currency: 'USD' } } }),
      'budget: List cost is not tracked here; use `limits`',
    ],
    [() => ({ agent, resources: [{ type: 'file' }] }), 'resources.0.file_id: Field required'],
    [() => ({ agent, vault_ids: ['v'] }), 'vault_ids: Vaults are not supported'],
    [() => ({ agent, title: long(513) }), 'title: String should have at most 512 characters'],
    [() => message(''), 'initial_events.0.content: String should have at least 1 character'],
    [() => message([]), 'initial_events.0.content: List should have at least 1 item after validation, not 0'],
    [
      () => ({ agent, initial_events: [{ type: 'user.interrupt' }] }),
      "initial_events.0: Input tag 'user.interrupt' found using 'type' does not match any of the expected tags: " +
        "'user.message'",
    ],
  ])('is not made from %s: %s', async (body, text) => {
    await expect(sessions.create(body())).rejects.toMatchObject({ status: 400, message: text });
  });

  it.each<[unknown, string]>([
    [{ agent: { tools: [] } }, 'agent: The agent of a session cannot be changed'],
    [{ title: 5 }, 'title: Input should be a valid string'],
    [{ metadata: { k: 5 } }, 'metadata.k: Input should be a valid string'],
    [{ status: 'idle' }, 'status: Extra inputs are not permitted'],
  ])('is not changed by %j: %s', async (body, text) => {
    await expect(sessions.update(session, body)).rejects.toMatchObject({ status: 400, message: text });
  });

  it('that is not there is not found', async () => {
    const missing = { status: 404, message: 'Session not found: sesn_x' };
    const send = { events: [{ type: 'user.interrupt' }] };
    await expect(sessions.retrieve('sesn_x')).rejects.toMatchObject(missing);
    await expect(sessions.update('sesn_x', {})).rejects.toMatchObject(missing);
    await expect(sessions.archive('sesn_x')).rejects.toMatchObject(missing);
    await expect(sessions.delete('sesn_x')).rejects.toMatchObject(missing);
    await expect(sessions.events.list('sesn_x')).rejects.toMatchObject(missing);
    await expect(sessions.events.send('sesn_x', send)).rejects.toMatchObject(missing);
    await expect(sessions.events.place('sesn_x')).rejects.toMatchObject(missing);
    await expect(
      sessions.events.stream('sesn_x', 0, new AbortController().signal).next(),
    ).rejects.toMatchObject(missing);
    await expect(sessions.events.place(session, 'sevt_x')).rejects.toMatchObject({
      status: 404,
      message: 'Event not found: sevt_x',
    });
  });

  it.each<[string, string]>([
    ['limit=0', 'limit: Input should be greater than or equal to 1'],
    ['limit=1001', 'limit: Input should be less than or equal to 1000'],
    ['limit=ten', 'limit: Input should be a valid integer, unable to parse string as an integer'],
    ['order=up', "order: Input should be 'asc' or 'desc'"],
    [
      'statuses[]=idle&statuses[]=busy',
      "statuses.1: Input should be 'rescheduling', 'running', 'idle' or 'terminated'",
    ],
    ['created_at[gt]=yesterday', 'created_at[gt]: Input should be a valid datetime'],
    [
      'include_archived=maybe',
      'include_archived: Input should be a valid boolean, unable to interpret input',
    ],
    ['page=%7B%7D', 'page: Invalid page token'],
    ['sort=asc', 'sort: Extra inputs are not permitted'],
  ])('list is not read with %s: %s', async (query, text) => {
    await expect(sessions.list(new URLSearchParams(query))).rejects.toMatchObject({
      status: 400,
      message: text,
    });
  });
});

describe('an event', () => {
  const message = (content: unknown): object => ({ type: 'user.message', content });
  const picture = (source: object): object => message([{ type: 'image', source }]);

  it.each<[unknown, string]>([
    [{}, 'events: Field required'],
    [{ events: [] }, 'events: List should have at least 1 item after validation, not 0'],
    [{ events: 'x' }, 'events: Input should be a valid list'],
    [{ events: [5] }, 'events.0: Input should be a valid dictionary or object to extract fields from'],
    [{ events: [{}] }, 'events.0.type: Field required'],
    [
      { events: [{ type: 'agent.message', content: [] }] },
      "events.0: Input tag 'agent.message' found using 'type' does not match any of the expected tags: " +
        "'system.message', 'user.custom_tool_result', 'user.grant_withdrawn', 'user.interrupt', 'user.message', 'user.tool_confirmation', 'user.tool_result'",
    ],
    [{ events: [{ type: 'user.message' }] }, 'events.0.content: Field required'],
    [
      { events: [{ type: 'user.interrupt', reason: 'x' }] },
      'events.0.reason: Extra inputs are not permitted',
    ],
    [{ events: [message([{ type: 'text' }])] }, 'events.0.content.0.text: Field required'],
    [
      { events: [message('x'), message([{ type: 'text', text: ' ' }])] },
      'events.1.content.0.text: Text should hold more than white space',
    ],
    [
      { events: [message([{ type: 'tool_result' }])] },
      "events.0.content.0: Input tag 'tool_result' found using 'type' does not match any of the expected tags: " +
        "'document', 'image', 'search_result', 'text'",
    ],
    [
      { events: [picture({ type: 'blob', sha256: 'f' })] },
      "events.0.content.0.source: Input tag 'blob' found using 'type' does not match any of the expected tags: " +
        "'base64', 'file', 'url'",
    ],
    [
      { events: [picture({ type: 'base64', media_type: 'image/bmp', data: 'AAAA' })] },
      "events.0.content.0.source.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ],
    [
      { events: [picture({ type: 'base64', media_type: 'image/png', data: 'AAA' })] },
      'events.0.content.0.source.data: Input should be valid base64',
    ],
    [
      { events: [picture({ type: 'base64', media_type: 'image/png', data: 'data:image/png;base64,AAAA' })] },
      'events.0.content.0.source.data: Input should be valid base64',
    ],
    [
      { events: [picture({ type: 'base64', media_type: 'image/png', data: 'AAAA' })] },
      'events.0.content.0.source.data: Could not process image',
    ],
    [
      { events: [picture({ type: 'base64', media_type: 'image/jpeg', data: png(1, 1) })] },
      'events.0.content.0.source.data: The image was specified using the image/jpeg media type, ' +
        'but it appears to be image/png',
    ],
    [
      { events: [picture({ type: 'base64', media_type: 'image/png', data: png(10, 8001) })] },
      'events.0.content.0.source.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    ],
    [
      { events: [picture({ type: 'url', url: 'file:///etc/passwd' })] },
      'events.0.content.0.source.url: Invalid URL',
    ],
    [
      { events: [{ type: 'user.tool_confirmation', tool_use_id: 'x', result: 'maybe' }] },
      "events.0.result: Input should be 'allow' or 'deny'",
    ],
    [
      { events: [{ type: 'user.tool_confirmation', tool_use_id: 'x', result: 'allow', deny_message: 'no' }] },
      "events.0.deny_message: Only allowed when result is 'deny'",
    ],
    [
      { events: [message('x'), { type: 'user.tool_confirmation', tool_use_id: 'sevt_x', result: 'allow' }] },
      'events.1.tool_use_id: No tool use sevt_x is waiting for confirmation',
    ],
    [
      { events: [{ type: 'user.custom_tool_result', custom_tool_use_id: 'sevt_x' }] },
      'events.0.custom_tool_use_id: No custom tool use sevt_x is waiting for a result',
    ],
  ])('is not taken from %j: %s', async (body, text) => {
    const before = (await listed(sessions, session)).data.length;
    await expect(sessions.events.send(session, body)).rejects.toMatchObject({ status: 400, message: text });
    expect((await listed(sessions, session)).data).toHaveLength(before);
  });

  it('is not taken with a picture that is too large for the model', async () => {
    const data = Buffer.alloc(5 * 1024 * 1024 + 1).toString('base64');
    const body = { events: [picture({ type: 'base64', media_type: 'image/png', data })] };
    await expect(sessions.events.send(session, body)).rejects.toMatchObject({
      status: 400,
      message: 'events.0.content.0.source.data: image exceeds 5 MB maximum: 5242881 bytes > 5242880 bytes',
    });
  });

  it('list is not read with a type that there is not', async () => {
    await expect(
      sessions.events.list(session, new URLSearchParams('types[]=user.dance')),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /^types\.0: Input should be 'user\.message', 'user\.interrupt', /,
      ) as string,
    });
  });
});
