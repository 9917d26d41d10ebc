import { randomBytes } from 'node:crypto';
import { readdir, readlink, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../error-fields.ts';
import type { SandboxLayout } from '../layout.ts';
import { removeTree } from '../remove-tree.ts';
import { syncFileSystem, syncFolder } from '../whole-file.ts';
import type { Snapshots } from './snapshots.ts';

/** Copies beside the workspace: `draft` is being written, `next` is complete and will replace the workspace. */
const pathsOf = ({ folder }: SandboxLayout): { draft: string; next: string } => ({
  draft: join(folder, 'workspace.draft'),
  next: join(folder, 'workspace.next'),
});
const OLD = 'workspace.old-';

/** The real path of the workspace: in a container it is a link to the home, which may be missing during a restore. */
export async function workspacePath({ workspace }: SandboxLayout): Promise<string> {
  try {
    return await readlink(workspace);
  } catch (error) {
    if (['EINVAL', 'ENOENT'].includes(errorCode(error) ?? '')) return workspace;
    throw error;
  }
}

/** Copies a snapshot beside the workspace, durably. After that the restore is always finished, now or at a start. */
export async function prepareRestore(
  layout: SandboxLayout,
  snapshots: Snapshots,
  id: string,
  owner: number | null,
): Promise<void> {
  const { draft, next } = pathsOf(layout);
  await removeTree(draft);
  try {
    await snapshots.copy(id, draft, owner);
    await syncFileSystem(layout.folder);
  } catch (error) {
    await removeTree(draft);
    throw error;
  }
  await rename(draft, next);
  await syncFolder(layout.folder);
}

/**
 * Puts a complete copy in the workspace's place; nothing may use the workspace meanwhile. This is also called before
 * every start of a daemon, so that a crash at any point leaves the old workspace or the new one.
 */
export async function finishRestore(layout: SandboxLayout): Promise<void> {
  const { draft, next } = pathsOf(layout);
  if (await exists(next)) {
    const workspace = await workspacePath(layout);
    if (await exists(workspace)) await putAside(layout, workspace, next);
    await rename(next, workspace);
    for (const folder of new Set([layout.folder, dirname(workspace)])) await syncFolder(folder);
  }
  const left = (await readdir(layout.folder)).filter((name) => name.startsWith(OLD));
  // What cannot be removed now is removed with the sandbox.
  for (const name of left) await removeTree(join(layout.folder, name)).catch(() => undefined);
  await removeTree(draft).catch(() => undefined);
}

/** Moves the old workspace away. A home that is a volume cannot be moved and stays; the new workspace is removed. */
async function putAside({ folder }: SandboxLayout, workspace: string, next: string): Promise<void> {
  try {
    await rename(workspace, join(folder, `${OLD}${randomBytes(8).toString('hex')}`));
  } catch (error) {
    await removeTree(next);
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
