import type { SandboxLimits } from '@steadyhand/contracts';

/**
 * Returns a program's arguments with limits for everything that it starts. The memory of each process is limited by
 * itself unless `held` says that all together is. The out-of-memory killer chooses it first. Without `--norc` bash
 * treats a socket on its standard input as a remote login and runs the agent's ~/.bashrc, here with rights that the
 * agent has not.
 */
export function withLimits(
  program: readonly string[],
  { memory_mib, processes, disk_mib }: SandboxLimits,
  held: readonly (keyof SandboxLimits)[],
): string[] {
  const limits = [
    'ulimit -c 0',
    'ulimit -n 8192',
    ...(processes === null ? [] : [`ulimit -u ${processes}`]),
    // No single file is larger than all may be together; the daemon watches their sum.
    ...(disk_mib === null ? [] : [`ulimit -f ${disk_mib * 1024}`]),
    // Only the writable memory of each process is limited: browsers reserve far more than they use.
    ...(memory_mib === null || held.includes('memory_mib') ? [] : [`ulimit -d ${memory_mib * 1024}`]),
    'echo 500 >/proc/self/oom_score_adj',
  ];
  const script = `{ ${limits.join('; ')}; } 2>/dev/null; exec "$@"`;
  return ['/bin/bash', '--norc', '--noprofile', '-c', script, 'guest', ...program];
}
