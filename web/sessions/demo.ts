import { type Agent, call, type Session } from '../client/api.ts';

/** What the demo does, in the language of the `script` model: real tools on a real desktop, and no network. */
const SCRIPT = `- bash: printf 'Shopping list\\n\\n- bread\\n- milk\\n' > list.txt
- edit: {command: str_replace, path: /home/agent/list.txt, old_str: milk, new_str: oat milk}
- bash: mousepad list.txt >/dev/null 2>&1 & timeout 20 xdotool search --sync --onlyvisible --name list.txt
- computer: {action: screenshot}
- key: ctrl+End
- type: "- coffee"
- key: ctrl+s
- computer: {action: screenshot}
- bash: cat list.txt
- say: The list is written, edited and saved.
`;

/** The metadata of the agent that demos share. A new value makes the page create another agent. */
const DEMO_METADATA = { steadyhand_demo: '1' };

const AGENT = {
  name: 'Demo',
  metadata: DEMO_METADATA,
  description: 'Follows a script instead of a model.',
  model: 'script',
  tools: [
    { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
    { type: 'text_editor_20241022', name: 'str_replace_editor' },
    { type: 'bash_20241022', name: 'bash' },
  ],
};

/** Starts a session that writes a file, edits it, opens it in an editor on the desktop, types and saves. */
export async function startDemo(): Promise<Session> {
  const { data: agents } = await call('GET /v1/agents', { query: { limit: '100' } });
  const agent = agents.find(isDemo) ?? (await call('POST /v1/agents', { body: AGENT }));
  return call('POST /v1/sessions', {
    body: {
      agent: agent.id,
      title: 'Demo: a shopping list',
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: SCRIPT }] }],
    },
  });
}

function isDemo({ metadata, archived_at }: Agent): boolean {
  const entries = Object.entries(DEMO_METADATA);
  return archived_at === null && entries.every(([name, value]) => metadata[name] === value);
}
