import { execFile } from 'node:child_process';
import { findProgram } from '../../find-program.ts';
import { errorText } from '../../error-fields.ts';

/** The command line of Docker or Podman. The commands that are used here are the same in both. */
export interface ContainerRuntime {
  readonly program: 'docker' | 'podman';
  /**
   * Runs a command and resolves with its trimmed standard output. Throws ContainerCommandError.
   * @param cwd Podman's monitor of a started container stays in this folder and writes files there.
   */
  run(
    args: readonly string[],
    options?: { readonly timeoutMs?: number; readonly cwd?: string },
  ): Promise<string>;
}

class ContainerCommandError extends Error {
  override readonly name = 'ContainerCommandError';
}

const COMMAND_MS = 120_000;
const PROBE_MS = 20_000;
const PROBES = {
  docker: ['info', '--format', '{{.ServerVersion}}'],
  podman: ['info', '--format', '{{.Version.Version}}'],
} as const;

/** The first of docker and podman that works on this machine, or the reason why neither does. */
export async function findRuntime(): Promise<ContainerRuntime | { readonly reason: string }> {
  const reasons: string[] = [];
  for (const program of ['docker', 'podman'] as const) {
    const path = findProgram(program);
    if (path === null) continue;
    const runtime: ContainerRuntime = {
      program,
      run: (args, { timeoutMs = COMMAND_MS, cwd = '/' } = {}) => command(path, args, timeoutMs, cwd),
    };
    try {
      await runtime.run(PROBES[program], { timeoutMs: PROBE_MS });
      return runtime;
    } catch (error) {
      reasons.push(`${program}: ${errorText(error)}`);
    }
  }
  return { reason: reasons.join('; ') || 'neither docker nor podman is installed' };
}

function command(path: string, args: readonly string[], timeout: number, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, [...args], { timeout, cwd, maxBuffer: 1 << 20 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout.trim());
      const said = stderr.trim().split('\n').at(-1) ?? '';
      reject(new ContainerCommandError(said === '' ? error.message : said, { cause: error }));
    });
  });
}
