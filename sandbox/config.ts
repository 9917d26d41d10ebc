import type {
  Compat,
  DisplaySize,
  IsolationKind,
  Networking,
  Packages,
  SandboxLimits,
} from '@steadyhand/contracts';
import { layoutOf } from './layout.ts';
import { isNumber, isObject, isRecordOf, isText, readRecord } from './record-file.ts';

export const DEFAULT_DISPLAY: DisplaySize = { width: 1024, height: 768 };
export const DEFAULT_BASH_TIMEOUT_MS = 120_000;
export const DEFAULT_NETWORKING: Networking = { type: 'unrestricted' };
export const NO_PACKAGES: Packages = { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] };
/** The limits where neither the sandbox's request nor the server's configuration names one. */
export const DEFAULT_LIMITS: SandboxLimits = {
  memory_mib: null,
  processes: 4096,
  disk_mib: null,
  files: 1_000_000,
  cpus: null,
};

/** What a sandbox was created with; it never changes. */
export interface SandboxConfig {
  readonly id: string;
  readonly display: DisplaySize;
  readonly compat: Compat;
  readonly isolation: IsolationKind;
  readonly networking: Networking;
  readonly packages: Packages;
  readonly limits: SandboxLimits;
  /** Rules that the creator stored for those who send actions; nothing here reads them. */
  readonly policy?: unknown;
  /** A digest of the request that made it under an idempotency key. */
  readonly request?: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** User and group of the agent's processes on the host when the daemon is root; null means the daemon's own. */
  readonly agent_uid: number | null;
  /** Milliseconds a bash command may take. */
  readonly bash_timeout_ms: number;
}

/** Checks the fields that every release wrote. */
function isConfig(value: unknown): value is Partial<SandboxConfig> {
  return isRecordOf(value, {
    id: isText,
    display: (display) => isRecordOf(display, { width: isNumber, height: isNumber }),
    compat: isText,
    isolation: (kind) => ['bubblewrap', 'none', 'container', 'remote'].includes(kind as string),
    networking: (networking) => networking === undefined || isObject(networking),
    packages: (packages) => packages === undefined || isObject(packages),
    limits: (limits) => limits === undefined || isObject(limits),
    created_at: isText,
    agent_uid: (uid) => uid === null || isNumber(uid),
    bash_timeout_ms: isNumber,
  });
}

/**
 * Reads a sandbox's configuration; null when the folder holds none because it is half created or half deleted. Throws
 * DamagedFileError when the file does not hold what was written.
 */
export function readConfig(folder: string): SandboxConfig | null {
  const kept = readRecord(layoutOf(folder).config, isConfig);
  if (kept === null) return null;
  // Sandboxes of the first release say nothing of these; they had no network.
  return {
    networking: { type: 'none' },
    packages: NO_PACKAGES,
    ...kept,
    limits: { ...DEFAULT_LIMITS, ...kept.limits },
  } as SandboxConfig;
}
