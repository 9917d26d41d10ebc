import type { DisplaySize } from '@steadyhand/contracts';
import { append, computerOf, toolDefinitions } from '@steadyhand/sessions';
import { NotStoredError } from '@steadyhand/store';
import { readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';
import { placeResources } from './place-resources.ts';

/** The id of a session's sandbox follows from the session's, so that creating the sandbox twice creates one. */
export const sandboxIdOf = (session: string): string => session.replace(/^[^_]*_/, 'sbx_');

/** Creates the session's sandbox at its first tool use and starts it again when it is down; answers its id. */
export async function ensureSandbox({ store, sandboxes }: ActivityDeps, session: string): Promise<string> {
  const data = await readSession(store, session);
  const id = data.sandbox_id ?? sandboxIdOf(session);
  const display = displayOf(toolDefinitions(data.agent.tools));
  const computer = await computerOf(store, data.environment_id);
  await sandboxes.create({ id, ...computer, ...(display === undefined ? {} : { display }) });
  await requireNotEnded({ store, sandboxes }, session, id);
  await placeResources({ store, sandboxes }, session, id, data);
  if (data.sandbox_id === null) await append(store, { session, key: 'sandbox', events: [], sandboxId: id });
  return id;
}

/** Deletes the sandbox again when the session ended meanwhile: its deletion may have come just before the creation. */
async function requireNotEnded(
  { store, sandboxes }: Pick<ActivityDeps, 'store' | 'sandboxes'>,
  session: string,
  sandbox: string,
): Promise<void> {
  const record = await store.sessions.get(session);
  if (record !== undefined && record.status !== 'terminated') return;
  await sandboxes.delete(sandbox);
  throw new NotStoredError('session', session);
}

/** The size of the screen is the one that the computer tool is defined with. */
function displayOf(tools: ReturnType<typeof toolDefinitions>): DisplaySize | undefined {
  for (const tool of tools) {
    if ('display_width_px' in tool) return { width: tool.display_width_px, height: tool.display_height_px };
  }
  return undefined;
}
