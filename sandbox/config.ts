import { readFileSync } from 'node:fs';
import { layoutOf } from './layout.ts';
import type { Compat, DisplaySize } from './protocol.ts';
import { errorCode } from './error-fields.ts';

/** What a sandbox was created with; it never changes. */
export interface SandboxConfig {
  readonly id: string;
  readonly display: DisplaySize;
  readonly compat: Compat;
  readonly isolation: 'bubblewrap' | 'none';
  /** RFC 3339. */
  readonly created_at: string;
  /** User and group on the host that the agent's processes run as, when the daemon is root; null: the daemon's own. */
  readonly agent_uid: number | null;
  /** Milliseconds a bash command may take. */
  readonly bash_timeout_ms: number;
}

/** Reads a sandbox's configuration; null when the folder holds none (half created or half deleted). */
export function readConfig(folder: string): SandboxConfig | null {
  try {
    return JSON.parse(readFileSync(layoutOf(folder).config, 'utf8')) as SandboxConfig;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
