import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import type { SandboxLayout } from '../layout.ts';

/** Where the session's folder is seen inside. */
export const SESSION_FOLDER = '/mnt/session';

/**
 * Makes the folders of `/mnt/session` where they are missing: `uploads`, which only the daemon fills, and `outputs`, which is
 * the agent's. Their own folder is not the agent's, so that neither can be exchanged for something else.
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

/** bubblewrap's arguments for it. */
export function sessionMounts(layout: SandboxLayout): readonly string[][] {
  return [
    ['--ro-bind', layout.uploads, `${SESSION_FOLDER}/uploads`],
    ['--bind', layout.outputs, `${SESSION_FOLDER}/outputs`],
    // The short name that clients of the Managed Agents API know them by.
    ['--symlink', `${SESSION_FOLDER}/uploads`, '/uploads'],
  ];
}
