import { type Agent, call, type Session } from '../client/api.ts';
import type { DemoScript } from './scripts.ts';

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

/** Starts a session that follows a script: real tools on a real desktop, without a model, a network or a key. */
export async function startDemo({
  title,
  steps,
  policy,
}: Pick<DemoScript, 'title' | 'steps' | 'policy'>): Promise<Session> {
  const { data: agents } = await call('GET /v1/agents', { query: { limit: '100' } });
  const agent = agents.find(isDemo) ?? (await call('POST /v1/agents', { body: AGENT }));
  return call('POST /v1/sessions', {
    body: {
      agent: agent.id,
      title,
      ...(policy === undefined ? {} : { policy }),
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: steps }] }],
    },
  });
}

function isDemo({ metadata, archived_at }: Agent): boolean {
  const entries = Object.entries(DEMO_METADATA);
  return archived_at === null && entries.every(([name, value]) => metadata[name] === value);
}
