import {
  DEFAULT_LIMITS,
  DEFAULT_NETWORKING,
  NO_PACKAGES,
  type SandboxConfig,
} from '../../../sandbox/config.ts';

/** The configuration of a sandbox of the pool. */
export function remoteConfig(id: string, created_at = '2026-11-25T10:00:00.000Z'): SandboxConfig {
  return {
    id,
    display: { width: 1024, height: 768 },
    compat: 'default',
    isolation: 'remote',
    networking: DEFAULT_NETWORKING,
    packages: NO_PACKAGES,
    limits: DEFAULT_LIMITS,
    created_at,
    agent_uid: null,
    bash_timeout_ms: 1000,
  };
}
