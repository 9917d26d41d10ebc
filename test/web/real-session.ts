import type { Product } from '../support/product.ts';
import { events, idle, say } from '../e2e/support.ts';

const TOOLS = [
  { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  { type: 'agent_toolset_20260401' },
  { type: 'custom', name: 'weather', description: 'The weather.', input_schema: { type: 'object' } },
];

/** What a person is asked about. */
const POLICY = {
  rules: [
    { match: { command: '^touch' }, decision: 'ask' },
    { match: { tool: 'computer', action: 'double_click' }, decision: 'ask' },
  ],
};

const FILE = '/home/agent/total.js';
const STEPS = [
  {
    bash: String.raw`printf '\033[32mPASS\033[0m test/list\n\033[1;31mFAIL\033[0m test/total\n'; exit 1`,
    or_continue: true,
  },
  { write: { file_path: FILE, content: 'function sum(list) {\n  let total = 1;\n  return total;\n}\n' } },
  { grep: { pattern: 'total', path: '/home/agent', output_mode: 'content' } },
  { read: FILE },
  {
    edit: {
      file_path: FILE,
      old_string: 'function sum(list) {\n  let total = 1;',
      new_string: 'function sum(list) {\n  let total = 0;',
    },
  },
  { computer: { action: 'screenshot' } },
  { computer: { action: 'left_click', coordinate: [256, 192] } },
  { bash: 'xterm -geometry 100x30+40+40 -e sleep 900 & xdotool search --sync --onlyvisible --class xterm' },
  { computer: { action: 'type', text: 'bread\n' } },
  { computer: { action: 'key', text: 'ctrl+s' } },
  { tool: { name: 'weather', input: { city: 'Oslo', days: 3 } } },
  { say: 'The list is saved.' },
];

/** A session that an agent really had, with each kind of tool and an error; it is at rest. Answers its id. */
export async function realSession(product: Product): Promise<string> {
  const { client } = product;
  const agent = await client.beta.agents.create({
    name: 'Clerk',
    model: 'script',
    tools: TOOLS,
    policy: POLICY,
  } as never);
  const environment = await client.beta.environments.create({ name: agent.id });
  const { id } = await client.beta.sessions.create({
    agent: agent.id,
    environment_id: environment.id,
    title: 'Every tool',
  });
  await say(client, id, JSON.stringify(STEPS));
  if ((await idle(product, id)) !== 'requires_action')
    throw new Error(`the script failed: ${JSON.stringify((await events(client, id)).slice(-6))}`);
  const use = (await events(client, id)).findLast(({ type }) => type === 'agent.custom_tool_use')?.id ?? '';
  await client.beta.sessions.events.send(id, {
    events: [
      {
        type: 'user.custom_tool_result',
        custom_tool_use_id: use,
        content: [{ type: 'text', text: 'Rain.' }],
      },
    ],
  });
  if ((await idle(product, id)) !== 'end_turn') throw new Error('the script did not end');
  return id;
}
