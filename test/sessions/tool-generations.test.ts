import {
  append,
  createSessions,
  readLog,
  replyEvents,
  toolDefinitions,
  toolResult,
  type AgentTool,
} from '../../sessions/index.ts';
import { permissionFor } from '../../sessions/agents/permissions.ts';
import { projectLog } from '../../sessions/log/project.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();
const ALLOW = { permission_policy: { type: 'always_allow' } };
const SIZE = { name: 'computer', display_width_px: 800, display_height_px: 600 };

async function agentTools(...tools: object[]): Promise<readonly AgentTool[]> {
  const sessions = createSessions({ store: await stores.open() });
  return (await sessions.agents.create({ name: 'a', model: 'm', tools })).tools;
}

it.each([
  { type: 'computer_20241022', ...SIZE },
  { type: 'computer_20250124', ...SIZE, display_number: null },
  { type: 'computer_20251124', ...SIZE, enable_zoom: true },
  { type: 'computer_toolset_20260801' },
  { type: 'computer_toolset_20260801', configs: { zoom: { enabled: false } } },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'text_editor_20250124', name: 'str_replace_editor' },
  { type: 'text_editor_20250429', name: 'str_replace_based_edit_tool' },
  { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 9000 },
  { type: 'bash_20241022', name: 'bash' },
  { type: 'bash_20250124', name: 'bash' },
])('an agent has the tool %j, and the model is offered it as it is', async (tool) => {
  expect(await agentTools(tool)).toEqual([{ ...tool, ...ALLOW }]);
  expect(toolDefinitions(await agentTools({ ...tool, permission_policy: { type: 'always_ask' } }))).toEqual([
    tool,
  ]);
});

it.each<[object[], string]>([
  [[{ type: 'computer_20250124', ...SIZE, enable_zoom: true }], 'tools.0.enable_zoom'],
  [[{ type: 'computer_toolset_20260801', name: 'computer' }], 'tools.0.name'],
  [[{ type: 'computer_toolset_20260801', configs: { fly: {} } }], 'tools.0.configs.fly'],
  [[{ type: 'text_editor_20250429', name: 'str_replace_editor' }], 'tools.0.name'],
  [[{ type: 'text_editor_20250429', name: 'str_replace_based_edit_tool', max_characters: 1 }], 'max_char'],
  [[{ type: 'bash_20250124', name: 'bash', cache_control: null }], 'tools.0.cache_control'],
  [[{ type: 'computer_20990101', ...SIZE }], 'tools.0'],
  [
    [
      { type: 'bash_20241022', name: 'bash' },
      { type: 'bash_20250124', name: 'bash' },
    ],
    'must be unique',
  ],
  [[{ type: 'computer_20250124', ...SIZE }, { type: 'computer_toolset_20260801' }], 'must be unique'],
  [
    [
      { type: 'computer_toolset_20260801' },
      { type: 'custom', name: 'left_click', description: 'd', input_schema: { type: 'object' } },
    ],
    'must be unique',
  ],
])('%j is refused: %s', async (tools, message) => {
  await expect(agentTools(...tools)).rejects.toThrow(message);
});

describe('a toolset', () => {
  const use = (id: string, name: string, input: object = {}) => ({
    type: 'tool_use' as const,
    id,
    name,
    input,
    toolset_name: 'computer' as const,
  });

  it('decides by its own policy, for its enabled members alone, and only where the use names it', async () => {
    const tools = await agentTools({
      type: 'computer_toolset_20260801',
      configs: { zoom: { enabled: false } },
      permission_policy: { type: 'always_ask' },
    });
    expect(permissionFor(tools, use('x', 'left_click'))).toMatchObject({ permission: 'ask' });
    expect(permissionFor(tools, use('x', 'zoom'))).toMatchObject({ permission: 'deny' });
    expect(permissionFor(tools, { name: 'left_click', toolset_name: 'browser' })).toMatchObject({
      permission: 'deny',
    });
  });

  it('keeps its name in the log, and in what goes back to the model', async () => {
    const store = await stores.open();
    const sessions = createSessions({ store });
    const agent = await sessions.agents.create({
      name: 'a',
      model: 'm',
      tools: [{ type: 'computer_toolset_20260801' }, { type: 'bash_20250124', name: 'bash' }],
    });
    const { id: session } = await sessions.create({ agent: agent.id });
    const content = [
      use('toolu_1', 'left_click', { coordinate: [1, 2] }),
      { type: 'tool_use' as const, id: 'toolu_2', name: 'bash', input: { command: 'ls' } },
    ];
    const { events } = await appendTo(
      store,
      session,
      'reply',
      replyEvents({ id: 'msg_1', content }, 0, agent.tools),
    );
    expect(events.map(({ body }) => body)).toMatchObject([
      { name: 'left_click', toolset_name: 'computer', input: { coordinate: [1, 2] } },
      { name: 'bash' },
    ]);
    const results = events.map(({ id }) => toolResult(id, { content: 'done', is_error: false }));
    await append(store, { session, key: 'results', events: results });
    const [assistant, user] = projectLog(await readLog(store, session));
    expect(assistant?.content).toEqual(content);
    expect(user?.content).toMatchObject([
      { tool_use_id: 'toolu_1', toolset_name: 'computer' },
      { tool_use_id: 'toolu_2' },
    ]);
    expect(user?.content[1]).not.toHaveProperty('toolset_name');
  });
});
