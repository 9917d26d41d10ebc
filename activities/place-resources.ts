import { mountInSandbox } from '@steadyhand/sandbox/client';
import { type SessionData, UPLOADS } from '@steadyhand/sessions';
import { NotStoredError } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';

/**
 * Makes the session's files those that are mounted in its sandbox. Done once for each state of the list, which is an effect:
 * it may be repeated, and is not when it is known to be done.
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

/** A file that was deleted or has expired since is missing in the sandbox too. */
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
