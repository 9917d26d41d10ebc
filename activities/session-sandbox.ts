import type { DisplaySize } from '@steadyhand/contracts';
import { append, computerOf, type SessionData, toolDefinitions, UPLOADS } from '@steadyhand/sessions';
import { NotStoredError } from '@steadyhand/store';
import { announceNewComputer } from './lost-computer.ts';
import { generationOf, sandboxIdOf, type SessionComputer } from './session-computer.ts';
import { readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';
import { mountInSandbox } from '@steadyhand/sandbox/client';

const COMPUTER_WAIT_MS = 30 * 60_000;

/**
 * Creates the session's sandbox at its first tool use and starts it again when it is down. While no machine has room for
 * it, it waits in line. Rejects with SandboxError `lost` when the computer is gone; nothing is made in its place here.
 */
export async function ensureSandbox(
  { store, sandboxes, computerWaitMs = COMPUTER_WAIT_MS }: ActivityDeps,
  session: string,
  signal?: AbortSignal,
): Promise<SessionComputer> {
  const data = await readSession(store, session);
  const id = data.sandbox_id ?? sandboxIdOf(session);
  const display = displayOf(toolDefinitions(data.agent.tools));
  const computer = await computerOf(store, data.environment_id);
  const info = await sandboxes.create({
    id,
    ...computer,
    ...(display === undefined ? {} : { display }),
    wait: { waitMs: computerWaitMs, signal, onWaiting: () => void tellWaiting(store, session, id) },
  });
  await requireNotEnded({ store, sandboxes }, session, id);
  await placeResources({ store, sandboxes }, session, id, data);
  if (data.sandbox_id === null) await append(store, { session, key: 'sandbox', events: [], sandboxId: id });
  const made = { id, made: info.created_at };
  if (generationOf(id) > 1) await announceNewComputer(store, session, made);
  return made;
}

/** Says in the session's event log, once for each sandbox, that no machine has room for it yet. */
async function tellWaiting(store: ActivityDeps['store'], session: string, id: string): Promise<void> {
  const body = { sandbox_id: id, message: 'waiting for a computer: all machines are in use' };
  const key = `sandbox/waiting/${id}`;
  // The waiting goes on all the same when this cannot be said.
  await append(store, { session, key, events: [{ type: 'sandbox.waiting', body }] }).catch(() => undefined);
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

/**
 * Mounts the session's files in its sandbox, and unmounts those that are not the session's any more. This is recorded as an
 * effect for each version of the list, so that it is not repeated; repeating it would do no harm.
 */
async function placeResources(
  { store, sandboxes }: Pick<ActivityDeps, 'store' | 'sandboxes'>,
  session: string,
  sandbox: string,
  { resources = [], resources_version: version = 0 }: SessionData,
): Promise<void> {
  if (version === 0) return;
  // A sandbox that followed a lost one has none of the files that the first one had.
  const key = generationOf(sandbox) === 1 ? `resources/${version}` : `resources/${version}/${sandbox}`;
  if ((await store.effects.get(session, key))?.state === 'done') return;
  const there = await Promise.all(
    resources.map(async (resource) => ((await isReadable(store, resource.file_id)) ? [resource] : [])),
  );
  const files = there.flat().map(({ id, file_id, mount_path }) => ({
    id,
    path: mount_path.slice(UPLOADS.length + 1),
    open: async () => (await store.files.stream(file_id)).body,
  }));
  await mountInSandbox(sandboxes, sandbox, files);
  await store.effects.begin(session, key);
  await store.effects.finish(session, key, { sandbox });
}

/** Whether a file is still stored; one that was deleted or has expired is left out. */
async function isReadable({ files }: ActivityDeps['store'], id: string): Promise<boolean> {
  try {
    const { body } = await files.stream(id);
    body.destroy();
    return true;
  } catch (error) {
    if (error instanceof NotStoredError) return false;
    throw error;
  }
}
