import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import type { SandboxLayout } from '../layout.ts';

/** The session's folder is mounted here inside. */
export const SESSION_FOLDER = '/mnt/session';

/**
 * Makes the missing folders of `/mnt/session`: `uploads`, which only the daemon fills, and `outputs`, which is the
 * agent's. The parent folder is not the agent's, so that neither can be replaced.
 */
export function makeSessionFolder(layout: SandboxLayout, agentUid: number | null): void {
  for (const folder of [layout.session, layout.uploads]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  if (mkdirSync(layout.outputs, { recursive: true }) === undefined) return;
  if (agentUid !== null) chownSync(layout.outputs, agentUid, agentUid);
  chmodSync(layout.outputs, 0o755);
}

/** bubblewrap's arguments for the session's folder. */
export function sessionMounts(layout: SandboxLayout): readonly string[][] {
  return [
    ['--ro-bind', layout.uploads, `${SESSION_FOLDER}/uploads`],
    ['--bind', layout.outputs, `${SESSION_FOLDER}/outputs`],
    // Clients of the Managed Agents API know the folder by this short name.
    ['--symlink', `${SESSION_FOLDER}/uploads`, '/uploads'],
  ];
}
