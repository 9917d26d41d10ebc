import { DEFAULT_LIMITS, NO_PACKAGES, readConfig, type SandboxConfig } from '../config.ts';
import { SandboxFolders } from '../folders/sandbox-folders.ts';
import { unlessDamaged } from '../record-file.ts';
import { noteLost } from './lost-note.ts';

/**
 * What a sandbox was created with, by its folder below `dir`. Where nothing of that can be read, the answer says as much as
 * is known of it, which suffices for a sandbox that is lost.
 */
export function configOfSandbox(dir: string, id: string): SandboxConfig {
  const folder = new SandboxFolders(dir).folderOf(id);
  const found = unlessDamaged(
    () => readConfig(folder),
    () => null,
  );
  return (
    found ?? {
      id,
      display: { width: 1024, height: 768 },
      compat: 'default',
      isolation: 'none',
      networking: { type: 'none' },
      packages: NO_PACKAGES,
      limits: DEFAULT_LIMITS,
      created_at: new Date(0).toISOString(),
      agent_uid: null,
      bash_timeout_ms: 120_000,
    }
  );
}

/**
 * Records a sandbox in a data folder that its computer did not come into, such as that of a restored backup. It counts as lost:
 * a session is told so before it gets another one.
 */
export async function recordLeftBehind(dir: string, config: SandboxConfig, reason: string): Promise<void> {
  const folders = new SandboxFolders(dir);
  await folders.make(config, { elsewhere: true });
  await noteLost(folders.folderOf(config.id), reason);
}
