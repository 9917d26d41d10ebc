import type { SandboxLimits } from '@steadyhand/contracts';

/** The descriptor from which a program reads of the server that was started before it. */
export const SERVER_PIPE = 3;

/**
 * Returns a program's arguments with limits for everything that it starts. The memory of each process is limited by
 * itself unless `held` says that all together is. The out-of-memory killer chooses it first. Without `--norc` bash
 * treats a socket on its standard input as a remote login and runs the agent's ~/.bashrc, here with rights that the
 * agent has not.
 *
 * A `server` is started right before the program, as nobody's child. The program can read a line `pid <its pid>` and what
 * it writes from the descriptor SERVER_PIPE.
 */
export function withLimits(
  program: readonly string[],
  { memory_mib, processes, disk_mib }: SandboxLimits,
  held: readonly (keyof SandboxLimits)[],
  server: readonly string[] = [],
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
  const count = server.length;
  // The shell that starts the server has ended before the program takes over, which would not reap it.
  const begun = `exec ${SERVER_PIPE}< <("\${@:1:${count}}" </dev/null 2>&1 & echo "pid $!"); wait $!; `;
  const script = `{ ${limits.join('; ')}; } 2>/dev/null; ${count > 0 ? begun : ''}exec "\${@:${count + 1}}"`;
  return ['/bin/bash', '--norc', '--noprofile', '-c', script, 'guest', ...server, ...program];
}
