import type { SandboxConfig } from '../config.ts';
import type { DaemonHealth, SandboxInfo } from '../protocol.ts';

/** What is told of a sandbox, by what it was created with and what its host sees of it. */
export function infoOf(
  config: SandboxConfig,
  seen: { readonly health: DaemonHealth | null; readonly starting?: boolean },
): SandboxInfo {
  const { id, display, compat, isolation, networking, limits, policy, created_at } = config;
  const status = seen.health !== null ? 'running' : seen.starting === true ? 'starting' : 'stopped';
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
  };
}
