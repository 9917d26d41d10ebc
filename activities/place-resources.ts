import { mountInSandbox } from '@steadyhand/sandbox/client';
import { type SessionData, UPLOADS } from '@steadyhand/sessions';
import { NotStoredError } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';

/**
 * Mounts the session's files in its sandbox, and unmounts those that are not the session's any more. This is recorded as an
 * effect for each version of the list, so that it is not repeated; repeating it would do no harm.
 */
export async function placeResources(
  { store, sandboxes }: Pick<ActivityDeps, 'store' | 'sandboxes'>,
  session: string,
  sandbox: string,
  { resources = [], resources_version: version = 0 }: SessionData,
): Promise<void> {
  if (version === 0) return;
  const key = `resources/${version}`;
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
