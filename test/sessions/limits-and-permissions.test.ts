import {
  type AgentTool,
  createSessions,
  performedFor,
  reachedLimit,
  replyEvents,
  spanUsage,
  toolDefinitions,
  totalTokens,
} from '../../sessions/index.ts';
import { addUsage, NO_LIMITS, NO_USAGE } from '../../sessions/record/usage.ts';
import { permissionFor } from '../../sessions/agents/permissions.ts';
import { namesOf } from '../../messages/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { TOOLS } from './sample-session.ts';

const stores = temporaryStores();

describe('limits', () => {
  it.each([
    [NO_LIMITS, { turns: 1e9, tokens: 1e12 }, undefined],
    [{ max_turns: 2, max_tokens: null }, { turns: 1, tokens: 0 }, undefined],
    [{ max_turns: 2, max_tokens: null }, { turns: 2, tokens: 0 }, 'max_turns'],
    [{ max_turns: null, max_tokens: 10 }, { turns: 0, tokens: 9 }, undefined],
    [{ max_turns: null, max_tokens: 10 }, { turns: 0, tokens: 10 }, 'max_tokens'],
    [{ max_turns: 1, max_tokens: 1 }, { turns: 5, tokens: 5 }, 'max_turns'],
  ])('%j with %j spent: %s', (limits, spent, reached) => {
    expect(reachedLimit(limits, spent)).toBe(reached);
  });

  it('are set at creation, changed one by one and lifted', async () => {
    const store = await stores.open();
    const sessions = createSessions({ store });
    const agent = (await sessions.agents.create({ name: 'a', model: 'm' })).id;
    const { id, limits } = await sessions.create({ agent, limits: { max_turns: 5 } });
    expect(limits).toEqual({ max_turns: 5, max_tokens: null });
    const change = async (to: unknown): Promise<unknown> =>
      (await sessions.update(id, { limits: to })).limits;
    expect(await change({ max_tokens: 100 })).toEqual({ max_turns: 5, max_tokens: 100 });
    expect(await change({ max_turns: null })).toEqual({ max_turns: null, max_tokens: 100 });
    expect(await change(undefined)).toEqual({ max_turns: null, max_tokens: 100 });
    expect(await change(null)).toEqual({ max_turns: null, max_tokens: null });
  });
});

describe('usage', () => {
  it('sums replies, cache writes by their lifetime', () => {
    const one = addUsage(NO_USAGE, { input_tokens: 1, output_tokens: 2 });
    const two = addUsage(one, { input_tokens: 10, output_tokens: 20, cache_creation_input_tokens: 5 });
    const three = addUsage(two, {
      input_tokens: 100,
      output_tokens: 200,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 3 },
    });
    expect(three).toEqual({
      input_tokens: 111,
      output_tokens: 222,
      cache_read_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 6, ephemeral_1h_input_tokens: 3 },
    });
    expect(totalTokens(three)).toBe(349);
    expect(spanUsage({ input_tokens: 1, output_tokens: 2, cache_read_input_tokens: null })).toEqual({
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    });
  });
});

describe('permissions', () => {
  async function agentTools(tools: unknown): Promise<readonly AgentTool[]> {
    const sessions = createSessions({ store: await stores.open() });
    return (await sessions.agents.create({ name: 'a', model: 'm', tools })).tools;
  }

  it('follow the policy of the tool', async () => {
    const tools = await agentTools(TOOLS);
    expect(permissionFor(tools, { name: 'bash' })).toEqual({
      by: 'sandbox',
      permission: 'allow',
      evaluation: { type: 'always_allow' },
    });
    expect(permissionFor(tools, { name: 'str_replace_editor' })).toEqual({
      by: 'sandbox',
      permission: 'ask',
      evaluation: { type: 'always_ask' },
    });
    expect(permissionFor(tools, { name: 'weather' })).toEqual({ by: 'client' });
    expect(permissionFor(tools, { name: 'nothing' })).toEqual({ by: 'sandbox', permission: 'deny' });
    expect(toolDefinitions(tools)).toEqual([
      { type: 'bash_20241022', name: 'bash' },
      { type: 'text_editor_20241022', name: 'str_replace_editor' },
      TOOLS[2],
    ]);
  });

  const ALL = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch'];
  const every = (permission: string, names = ALL): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, permission]));

  it.each<[object, Record<string, string>]>([
    [{}, every('allow')],
    [{ default_config: { enabled: false } }, every('deny')],
    [{ default_config: { permission_policy: { type: 'always_ask' } } }, every('ask')],
    [
      { configs: [{ name: 'write', permission_policy: { type: 'always_ask' } }] },
      { ...every('allow'), write: 'ask' },
    ],
    [
      { default_config: { enabled: false }, configs: [{ name: 'read', enabled: true }] },
      { ...every('deny'), read: 'allow' },
    ],
    [{ configs: [{ name: 'bash', enabled: false }, { name: 'grep' }] }, { ...every('allow'), bash: 'deny' }],
    [{ configs: [{ name: 'web_search', enabled: false }] }, { ...every('allow'), web_search: 'deny' }],
  ])('of the agent toolset with %j: %j', async (config, expected) => {
    const tools = await agentTools([{ type: 'agent_toolset_20260401', ...config }]);
    for (const [name, permission] of Object.entries(expected)) {
      expect(permissionFor(tools, { name })).toMatchObject({ by: 'sandbox', permission });
    }
    expect(toolDefinitions(tools).flatMap((tool) => namesOf(tool))).toEqual(
      Object.keys(expected).filter((name) => expected[name] !== 'deny'),
    );
  });

  it('of an agent that was stored when the toolset had fewer members hold for those it had', () => {
    const config = (name: string, enabled: boolean): object => ({
      name,
      type: name,
      enabled,
      permission_policy: { type: 'always_allow' },
    });
    const stored = {
      type: 'agent_toolset_20260401',
      default_config: { enabled: true, permission_policy: { type: 'always_allow' } },
      configs: [
        ...['bash', 'edit', 'read', 'write'].map((name) => config(name, true)),
        ...['glob', 'grep', 'web_fetch', 'web_search'].map((name) => config(name, false)),
      ],
    } as unknown as AgentTool;
    expect(toolDefinitions([stored]).flatMap((tool) => namesOf(tool))).toEqual([
      'bash',
      'read',
      'write',
      'edit',
    ]);
    expect(performedFor([stored], { name: 'read' })).toEqual({
      type: 'agent_toolset_20260401',
      name: 'read',
    });
  });

  it('let the settings of web_fetch go with it to the sandbox', async () => {
    const tools = await agentTools([
      {
        type: 'agent_toolset_20260401',
        configs: [{ name: 'web_fetch', allowed_domains: ['example.com'], max_content_tokens: 100 }],
      },
    ]);
    expect(performedFor(tools, { name: 'web_fetch' })).toEqual({
      type: 'agent_toolset_20260401',
      name: 'web_fetch',
      allowed_domains: ['example.com'],
      max_content_tokens: 100,
    });
    expect(performedFor(tools, { name: 'bash' })).toEqual({ type: 'agent_toolset_20260401', name: 'bash' });
    expect(performedFor(tools, { name: 'web_search' })).toBeUndefined();
  });

  it('are written into the events of a reply, beside what the model is not shown again', async () => {
    const tools = await agentTools(TOOLS);
    const use = (name: string) => ({ type: 'tool_use' as const, id: `toolu_${name}`, name, input: { n: 1 } });
    const text = (value: string) => ({ type: 'text' as const, text: value, citations: null });
    const events = replyEvents(
      {
        id: 'msg_1',
        content: [text('a'), text(' '), text('b'), use('bash'), use('weather'), text('c'), use('gone')],
      },
      7,
      tools,
    );
    expect(events.map(({ type, body }) => [type, body])).toEqual([
      [
        'agent.message',
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
      [
        'agent.tool_use',
        {
          name: 'bash',
          input: { n: 1 },
          evaluated_permission: 'allow',
          evaluation: { type: 'always_allow' },
        },
      ],
      ['agent.custom_tool_use', { name: 'weather', input: { n: 1 } }],
      ['agent.message', { content: [{ type: 'text', text: 'c' }] }],
      ['agent.tool_use', { name: 'gone', input: { n: 1 }, evaluated_permission: 'deny' }],
    ]);
    expect(
      events.every(({ internal }) => internal?.reply?.id === 'msg_1' && internal.reply.cursor === 7),
    ).toBe(true);
  });

  it('cannot be decided for blocks that nobody here asked for', () => {
    const block = { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} } as const;
    expect(() => replyEvents({ id: 'm', content: [block as never] }, 0, [])).toThrow(
      'a reply with a block of type server_tool_use cannot be kept',
    );
  });
});
