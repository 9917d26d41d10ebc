import { randomBytes } from 'node:crypto';
import path from 'node:path';
import {
  append,
  createSessions,
  modelRequestEnd,
  modelRequestStart,
  toolResult,
} from '../../sessions/index.ts';
import { eventId, openStore } from '../../store/index.ts';

export interface SampleLog {
  readonly session: string;
  readonly events: number;
  readonly firstEvent: string;
  readonly lastEvent: string;
}

const TOOLS = [{ type: 'bash_20241022', name: 'bash' }];
const USAGE = {
  input_tokens: 1200,
  output_tokens: 80,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/**
 * Writes sessions into the store of a data folder, as an agent that has worked for a long time leaves them: five events a
 * step, with a line of text or a picture of so many bytes as the result.
 */
export async function writeLogs(
  dataDir: string,
  wanted: readonly { readonly steps: number; readonly pictureBytes: number }[],
): Promise<readonly SampleLog[]> {
  const store = await openStore({ dir: path.join(dataDir, 'store') });
  const sessions = createSessions({ store });
  const agent = await sessions.agents.create({ name: 'bench', model: 'script', tools: TOOLS });
  const logs: SampleLog[] = [];
  for (const { steps, pictureBytes } of wanted) {
    const initial_events = [{ type: 'user.message', content: 'Work.' }];
    const { id: session } = await sessions.create({ agent: agent.id, initial_events });
    let seq = 1;
    for (let step = 0; step < steps; step += 1) {
      const reply = { reply: { id: `msg_${step}`, cursor: seq } };
      const key = `step/${step}`;
      const use = eventId(session, key, 2);
      const data = randomBytes(pictureBytes).toString('base64');
      const picture = {
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png', data },
      };
      const { cursor } = await append(store, {
        session,
        key,
        events: [
          modelRequestStart(),
          {
            type: 'agent.message',
            body: { content: [{ type: 'text', text: `Step ${step}.` }] },
            internal: reply,
          },
          {
            type: 'agent.tool_use',
            body: { name: 'bash', input: { command: `make part-${step}` }, evaluated_permission: 'allow' },
            internal: { ...reply, model_id: `toolu_${step}` },
          },
          { ...modelRequestEnd(eventId(session, key, 0), USAGE), internal: reply },
          toolResult(use, {
            content: pictureBytes > 0 ? [picture] : [{ type: 'text', text: `part-${step} is up to date` }],
            is_error: false,
          }),
        ],
      });
      seq = cursor;
    }
    await store.events.markDelivered(await store.events.undelivered(session));
    const [first] = await store.events.read({ session, limit: 1 });
    const [last] = await store.events.read({ session, order: 'desc', limit: 1 });
    logs.push({ session, events: seq, firstEvent: first?.id ?? '', lastEvent: last?.id ?? '' });
  }
  await store.close();
  return logs;
}
