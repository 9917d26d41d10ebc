import type { SandboxConfig } from '../../config.ts';

/** The folder of the daemon's socket in the container, below a folder that the agent may not enter. */
const LINK_INSIDE = '/steadyhand/link';
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
  /** The folder on this machine that holds the socket. */
  readonly link: string;
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
    ['--volume', `${name}:/home`, '--volume', `${link}:${LINK_INSIDE}:z`],
    ['--env', `SANDBOX_LISTEN=${LINK_INSIDE}/${SOCKET}`],
    ['--pids-limit', String(processes ?? DEFAULT_PROCESSES)],
    memory === null ? [] : ['--memory', `${memory}m`, '--memory-swap', `${memory}m`],
    cpus === null ? [] : ['--cpus', String(cpus)],
    [image],
  ].flat();
}
