import type { SandboxConfig } from '../config.ts';
import { statSync } from 'node:fs';
import type { DamagedSandboxInfo, SandboxInfo } from '@steadyhand/contracts';
import type { DaemonHealth } from '../daemon-health.ts';

/** What callers see of a sandbox, made of its configuration and what its host reports. */
export function infoOf(
  config: SandboxConfig,
  seen: { readonly health: DaemonHealth | null; readonly starting?: boolean },
  /** What the last start found damaged. */
  damage: string | null = null,
): SandboxInfo {
  const { id, display, compat, isolation, networking, limits, policy, created_at } = config;
  const reason = seen.health === null && seen.starting !== true ? damage : null;
  const status = statusOf(seen, reason);
  return {
    id,
    status,
    display,
    compat,
    isolation,
    networking,
    limits,
    ...(policy === undefined ? {} : { policy }),
    created_at,
    boot: seen.health?.boot ?? null,
    reason,
  };
}

function statusOf(
  { health, starting }: { readonly health: DaemonHealth | null; readonly starting?: boolean },
  damage: string | null,
): SandboxInfo['status'] {
  if (health !== null) return 'running';
  if (starting === true) return 'starting';
  return damage === null ? 'stopped' : 'failed';
}

/** What callers see of a sandbox whose record cannot be read. */
export function damagedInfo(id: string, folder: string, reason: string): DamagedSandboxInfo {
  const created = statSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  return {
    id,
    status: 'failed',
    display: null,
    compat: null,
    isolation: null,
    networking: null,
    limits: null,
    created_at: new Date(created).toISOString(),
    boot: null,
    reason,
  };
}
