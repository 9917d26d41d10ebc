import type { SandboxLimits } from '@steadyhand/contracts';

/**
 * The words of a program with limits that hold for all that it starts; the memory of each process by itself, where `held` does
 * not say that all together is held. The out-of-memory killer takes it first. Without `--norc` bash takes a socket on its
 * standard input for a remote login and runs the agent's ~/.bashrc, here with rights that the agent has not.
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
    // No file alone is larger than all of them may be; the daemon watches their sum.
    ...(disk_mib === null ? [] : [`ulimit -f ${disk_mib * 1024}`]),
    // Each process by itself, and what it may write to alone: browsers reserve far more than they use.
    ...(memory_mib === null || held.includes('memory_mib') ? [] : [`ulimit -d ${memory_mib * 1024}`]),
    'echo 500 >/proc/self/oom_score_adj',
  ];
  const script = `{ ${limits.join('; ')}; } 2>/dev/null; exec "$@"`;
  return ['/bin/bash', '--norc', '--noprofile', '-c', script, 'guest', ...program];
}
