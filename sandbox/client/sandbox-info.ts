import type { SandboxConfig } from '../config.ts';
import { statSync } from 'node:fs';
import type { DamagedSandboxInfo, SandboxInfo } from '@steadyhand/contracts';
import type { DaemonHealth } from '../daemon-health.ts';

/** What was found of a sandbox. */
interface Seen {
  readonly health?: DaemonHealth | null;
  readonly starting?: boolean;
  /** No machine of the pool has been free for it yet. */
  readonly waiting?: boolean;
  /** What the last start found damaged. */
  readonly damage?: string | null;
  /** Why it was given up. */
  readonly lost?: string;
}

/** What callers see of a sandbox, made of its configuration and what its host reports. */
export function infoOf(config: SandboxConfig, seen: Seen): SandboxInfo {
  const { id, display, compat, isolation, networking, limits, policy, created_at } = config;
  const boot = seen.health?.boot ?? null;
  const shown = policy === undefined ? {} : { policy };
  return {
    id,
    ...statusOf(seen),
    display,
    compat,
    isolation,
    networking,
    limits,
    ...shown,
    created_at,
    boot,
  };
}

function statusOf(seen: Seen): Pick<SandboxInfo, 'status' | 'reason'> {
  const { health = null, starting = false, waiting = false, damage = null, lost } = seen;
  if (lost !== undefined) return { status: 'lost', reason: lost };
  if (health !== null) return { status: 'running', reason: null };
  if (waiting) return { status: 'waiting', reason: 'waiting for a computer' };
  if (starting) return { status: 'starting', reason: null };
  return damage === null ? { status: 'stopped', reason: null } : { status: 'failed', reason: damage };
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
