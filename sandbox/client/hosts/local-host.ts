import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import { type ProcessEntry, processesOf, identify, isAlive } from '../../process-tree.ts';
import { removeControlGroups } from '../../isolation/limits/cgroup.ts';
import { noIsolation } from '../../isolation/none.ts';
import { type Instance, runningInstance } from '../../instance-lock.ts';
import { layoutOf } from '../../layout.ts';
import { machineName } from '../../machine-name.ts';
import { lostReason } from '../../registry/lost-note.ts';
import type { DaemonPlace } from '../../daemon/daemon-place.ts';
import type { DaemonHealth } from '../../daemon-health.ts';
import { DaemonConnection } from '../connection/daemon-connection.ts';
import { type DaemonProgram, startDaemon } from './daemon-process.ts';
import { type Connected, ConnectedHost } from './connected-host.ts';
import type { SandboxLogger } from './host.ts';
import type { SandboxLink } from '../connection/link.ts';
import type { SandboxFolders } from '../../folders/sandbox-folders.ts';
import { unixTransport } from '../connection/transport.ts';

/** How long a daemon that another process started may take until it answers. */
const START_MS = 45_000;
const HEALTH_MS = 10_000;
const SHUTDOWN_MS = 10_000;
/** How long to wait for the descendants of a daemon that has ended. */
const FAMILY_MS = 10_000;
/** The number of daemons that may die while they start before a call gives up. */
const MAX_DEATHS = 4;

interface LocalHostOptions extends DaemonProgram {
  readonly guestEntry: string;
  /** Where the daemons run, when that is a pool machine. */
  readonly place?: DaemonPlace | undefined;
  readonly logger: SandboxLogger;
}

interface Known extends Connected {
  readonly instance: Instance;
}

/** Finds, starts and ends the daemons of this machine's sandboxes, and keeps one connection to each. */
export class LocalHost extends ConnectedHost<Known> {
  readonly #folders: SandboxFolders;
  readonly #options: LocalHostOptions;
  protected readonly goneText = 'its daemon has just ended';
  protected readonly keptWhileStarting = true;

  constructor(folders: SandboxFolders, options: LocalHostOptions) {
    super();
    this.#folders = folders;
    this.#options = options;
  }

  /** The health of the running daemon, null when none answers. Starts nothing. */
  async look(id: string): Promise<{ readonly health: DaemonHealth | null; readonly starting: boolean }> {
    const instance = this.#instance(id);
    if (instance === null) return { health: null, starting: this.isStarting(id) };
    const health = await this.#health(id, instance).catch(() => null);
    return { health, starting: health === null && isAlive(instance.process) };
  }

  running(id: string): Promise<SandboxLink | null> {
    const instance = this.#instance(id);
    return Promise.resolve(instance === null ? null : this.#connectionTo(id, instance));
  }

  /** Tells the daemon of a spare whose it is from now on; null when it does not run. */
  async assign(spare: string, id: string): Promise<DaemonHealth | null> {
    const instance = this.#instance(spare);
    if (instance === null) return null;
    const health = await this.#connectionTo(spare, instance).call<DaemonHealth>('POST', '/assign', {
      body: { id },
      timeoutMs: HEALTH_MS,
    });
    this.forget(spare);
    return health;
  }

  /** Ends the sandbox for good. */
  async end(id: string): Promise<void> {
    await this.stop(id);
    // A killed daemon could not end its processes itself; with a pid namespace the kernel has ended them.
    const folder = this.#folders.folderOf(id);
    await noIsolation(layoutOf(folder)).cleanUp();
    await removeControlGroups(machineName(folder));
  }

  /** Ends the daemon and everything it ran. It first answers the requests that are under way. */
  async stop(id: string): Promise<void> {
    const instance = this.#instance(id);
    if (instance !== null) {
      // The descendants are listed first, because they cannot be found once the daemon has ended.
      const family = processesOf(instance.process.pid);
      const asked = await this.#connectionTo(id, instance)
        .call('POST', '/shutdown', { timeoutMs: SHUTDOWN_MS })
        .then(
          () => true,
          () => false,
        );
      if (!asked || !(await hasEnded(instance, SHUTDOWN_MS))) {
        this.#options.logger.warn({ sandbox: id, pid: instance.process.pid }, 'sandbox daemon killed');
        if (isAlive(instance.process)) process.kill(instance.process.pid, 'SIGKILL');
        await hasEnded(instance, SHUTDOWN_MS);
      }
      // The kernel ends the rest of a pid namespace shortly after its first process.
      await haveEnded(family, FAMILY_MS);
    }
    this.forget(id);
  }

  protected async start(id: string): Promise<DaemonHealth> {
    const deadline = performance.now() + START_MS;
    let deaths = 0;
    const folder = this.#folders.folderOf(id);
    for (;;) {
      if ((await this.#folders.find(id)) === null)
        throw new SandboxError('sandbox_not_found', 'it does not exist', { sandbox: id });
      const lost = lostReason(folder);
      if (lost !== null) throw new SandboxError('lost', lost, { sandbox: id });
      const instance = this.#instance(id);
      if (instance === null) {
        const started = await startDaemon({ folder, ...this.#options });
        if (typeof started === 'object') {
          if ('failed' in started) throw new SandboxError('unavailable', started.failed, { sandbox: id });
          if ('damaged' in started) throw new SandboxError('damaged', started.damaged, { sandbox: id });
          deaths += 1;
          if (deaths >= MAX_DEATHS) throw new SandboxError('unavailable', started.died, { sandbox: id });
        }
        if (started === 'ready') this.#options.logger.info({ sandbox: id }, 'sandbox daemon started');
      } else {
        try {
          return await this.#health(id, instance);
        } catch {
          this.forget(id);
        }
        // A live daemon that does not answer is starting or ending.
        await pause(25);
      }
      if (performance.now() > deadline)
        throw new SandboxError('unavailable', 'its daemon does not answer', { sandbox: id });
    }
  }

  #instance(id: string): Instance | null {
    return runningInstance(this.#folders.folderOf(id));
  }

  #health(id: string, instance: Instance): Promise<DaemonHealth> {
    return this.#connectionTo(id, instance).call<DaemonHealth>('GET', '/health', { timeoutMs: HEALTH_MS });
  }

  #connectionTo(id: string, instance: Instance): DaemonConnection {
    const known = this.known(id);
    if (known?.instance.number === instance.number) return known.connection;
    this.forget(id);
    const connection = new DaemonConnection(unixTransport(this.#folders.folderOf(id), instance.socket));
    this.keep(id, { instance, connection });
    return connection;
  }
}

/** Waits for the end of killed processes; one that stays is not reported here. */
async function haveEnded(processes: readonly ProcessEntry[], withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  const lives = ({ pid, startTime }: ProcessEntry): boolean => identify(pid)?.startTime === startTime;
  while (processes.some(lives) && performance.now() < deadline) await pause(5);
}

async function hasEnded({ process: daemon }: Instance, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive(daemon)) {
    if (performance.now() > deadline) return false;
    await pause(10);
  }
  return true;
}
