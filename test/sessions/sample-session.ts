import { createSessions, type NewEvent, replyEvents, type Sessions } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import { toolUse } from '../support/blocks.ts';
import { appendTo } from './append-to.ts';

export const TOOLS = [
  { type: 'bash_20241022', name: 'bash' },
  { type: 'text_editor_20241022', name: 'str_replace_editor', permission_policy: { type: 'always_ask' } },
  { type: 'custom', name: 'weather', description: 'd', input_schema: { type: 'object' } },
];

/** A session whose agent has three tools: an allowed one, one that needs a confirmation, one that the client runs. */
export async function sampleSession(
  store: Store,
  body: object = {},
): Promise<{ sessions: Sessions; session: string }> {
  const sessions = createSessions({ store });
  const agent = await sessions.agents.create({ name: 'a', model: 'script', tools: TOOLS });
  const { id } = await sessions.create({ agent: agent.id, ...body });
  return { sessions, session: id };
}

export const says = (text: string): object => ({ events: [{ type: 'user.message', content: text }] });

/** Appends a reply that uses tools, and answers the ids of the uses. */
export async function uses(
  store: Store,
  sessions: Sessions,
  session: string,
  ...names: string[]
): Promise<readonly string[]> {
  const { tools } = (await sessions.retrieve(session)).agent;
  const cursor = (await store.sessions.get(session))?.cursor ?? 0;
  const content = names.map((name, n) => toolUse(`toolu_${cursor}_${n}`, name, {}));
  const { events } = await appendTo(
    store,
    session,
    `reply/${cursor}`,
    replyEvents({ id: `msg_${cursor}`, content }, cursor, tools),
  );
  return events.map(({ id }) => id);
}

export const confirm = (tool_use_id: string, result: 'allow' | 'deny', more: object = {}): object => ({
  events: [{ type: 'user.tool_confirmation', tool_use_id, result, ...more }],
});

export const text = (value: string): NewEvent => ({
  type: 'agent.message',
  body: { content: [{ type: 'text', text: value }] },
});
