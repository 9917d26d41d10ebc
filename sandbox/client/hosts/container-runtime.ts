import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { findProgram } from '../../find-program.ts';
import { errorText } from '../../error-fields.ts';
import type { SandboxConfig } from '../../config.ts';

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
  /** Starts a command whose input and output are streams. */
  start(args: readonly string[]): ChildProcessByStdio<Writable, Readable, null>;
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
      start: (args) => spawn(path, args, { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] }),
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

/** The folder of the daemon's socket in the container, below a folder that the agent may not enter. */
export const LINK_INSIDE = '/steadyhand/link';
export const SOCKET = 'member.sock';

/**
 * The capabilities that the daemon keeps: to give folders to the agent's user, to read and write its files for the
 * files API whatever their mode, to start the guest as that user and to end what it runs. docker-compose.yml has the
 * same list.
 */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETUID'];
const DEFAULT_PROCESSES = 4096;

/** The arguments of `docker run` or `podman run` for a sandbox. */
export function runArguments(options: {
  readonly name: string;
  readonly owner: string;
  readonly image: string;
  readonly config: SandboxConfig;
  /** The folder on this machine that holds the socket; null where it stays inside the container. */
  readonly link: string | null;
}): string[] {
  const { name, owner, image, config, link } = options;
  const { memory_mib: memory, processes, cpus } = config.limits;
  return [
    ['run', '--detach', '--name', name, '--hostname', 'computer'],
    ['--label', `steadyhand.sandbox=${config.id}`, '--label', `steadyhand.owner=${owner}`],
    ['--network', 'none'],
    ['--cap-drop', 'ALL', ...CAPABILITIES.flatMap((capability) => ['--cap-add', capability])],
    ['--security-opt', 'no-new-privileges'],
    ['--read-only'],
    ['--tmpfs', '/tmp:rw,exec,nosuid,nodev,mode=1777,size=1g'],
    ['--tmpfs', '/var/tmp:rw,nosuid,nodev,mode=1777,size=256m'],
    ['--tmpfs', '/run:rw,exec,nosuid,nodev,mode=755,size=64m'],
    ['--shm-size', '256m'],
    ['--volume', `${name}:/home`],
    link === null
      ? ['--tmpfs', `${LINK_INSIDE}:rw,noexec,nosuid,nodev,mode=700,size=1m`]
      : ['--volume', `${link}:${LINK_INSIDE}:z`],
    ['--env', `SANDBOX_LISTEN=${LINK_INSIDE}/${SOCKET}`],
    // The sandbox that it is started for is asked for at once.
    ['--env', 'SANDBOX_SPARES=0'],
    ['--pids-limit', String(processes ?? DEFAULT_PROCESSES)],
    memory === null ? [] : ['--memory', `${memory}m`, '--memory-swap', `${memory}m`],
    cpus === null ? [] : ['--cpus', String(cpus)],
    [image],
  ].flat();
}
