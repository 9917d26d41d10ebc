import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type IsolationKind, isSandboxError, SandboxError } from '@steadyhand/contracts';
import { type Instance, runningInstance } from '../instance-lock.ts';
import { invalidRequest } from '../invalid-request.ts';
import type { DaemonHealth } from '../daemon-health.ts';
import { LocalHost } from '../client/hosts/local-host.ts';
import type { SandboxConfig } from '../config.ts';
import { SandboxFolders, isSandboxId } from '../folders/sandbox-folders.ts';
import type { EgressWay } from '../daemon/egress.ts';
import type { DaemonLog } from '../daemon-log.ts';
import { DESKTOP_PROGRAMS } from '../desktop/desktop-files.ts';
import { readEgressSettings } from '../egress/settings.ts';
import { errorText } from '../error-fields.ts';
import { findProgram } from '../find-program.ts';
import { agentUidFor } from '../agent-uid.ts';
import { AGENT_UID } from '../isolation/backend.ts';
import { removeAgentFiles } from '../isolation/inside-container.ts';
import { DamagedFileError, readText } from '../record-file.ts';
import { SerialQueue } from '../serial-queue.ts';
import { writeWholeSync } from '../whole-file.ts';
import { SpareSandboxes } from './spare-sandboxes.ts';
import type { ClaimRequest, HeldSandbox, MachineState, ReleaseRequest } from './protocol.ts';

export interface PoolMachineOptions {
  /** The folder of all state; it has to exist, with mode 0700. */
  readonly dir: string;
  readonly isolation: Exclude<IsolationKind, 'remote'>;
  /** How many sandboxes it holds at most. */
  readonly capacity: number;
  readonly egressWay: EgressWay;
  /** How many sandboxes it makes before they are asked for, as far as there are free places. Default 0. */
  readonly spares?: number;
  readonly nodePath: string;
  readonly daemonEntry: string;
  readonly guestEntry: string;
  readonly log: DaemonLog;
}

/**
 * Holds sandboxes for servers, each with a daemon of its own. The daemons outlive this process, so that a machine whose
 * process is started again goes on with them.
 */
export class PoolMachine {
  readonly #options: PoolMachineOptions;
  readonly #folders: SandboxFolders;
  readonly #host: LocalHost;
  readonly #spares: SpareSandboxes;
  readonly #member: string;
  readonly #held = new Map<string, HeldSandbox>();
  #draining = false;
  /** Claims and releases of one sandbox run one after another. */
  readonly #queue = new SerialQueue();
  #changed: () => void = () => undefined;

  /** Opens the folder with the sandboxes that it holds; deletions that were cut short are finished. */
  static async open(options: PoolMachineOptions): Promise<PoolMachine> {
    const machine = new PoolMachine(options);
    await machine.#spares.removeLeftovers();
    for (const id of await machine.#folders.ids()) {
      const held = await machine.#read(id);
      if (held === null) await machine.#wipe(id);
      else machine.#held.set(id, held);
    }
    return machine;
  }

  private constructor(options: PoolMachineOptions) {
    const { dir, capacity, spares = 0, nodePath, daemonEntry, guestEntry, egressWay, log } = options;
    this.#options = options;
    this.#folders = new SandboxFolders(dir);
    this.#host = new LocalHost(this.#folders, {
      nodePath,
      daemonEntry,
      egress: readEgressSettings(process.env),
      guestEntry,
      place: { machine: dir, egressWay },
      logger: {
        info: (fields, message) => log.info(message, { ...fields }),
        warn: (fields, message) => log.error(message, { ...fields }),
      },
    });
    this.#spares = new SpareSandboxes({
      dir,
      folders: this.#folders,
      host: this.#host,
      wanted: () => Math.min(spares, capacity - this.#held.size),
      own: (name) => this.#own(name),
      wipe: (name) => this.#wipe(name),
      log,
    });
    this.#member = readOrMake(join(dir, 'member'), () => `mem_${randomBytes(12).toString('hex')}`);
  }

  get state(): MachineState {
    return {
      member: this.#member,
      capacity: this.#options.capacity,
      sandboxes: [...this.#held.values()],
      draining: this.#draining,
      isolation: this.#options.isolation,
      missing: DESKTOP_PROGRAMS.filter((program) => findProgram(program) === null),
    };
  }

  /** Sets a function that is called whenever the state has changed. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /** The running daemon of a sandbox that it holds, with its folder; null when there is none. */
  daemonOf(id: string): { readonly folder: string; readonly instance: Instance } | null {
    if (!this.#held.has(id)) return null;
    const folder = this.#folders.folderOf(id);
    const instance = runningInstance(folder);
    return instance === null ? null : { folder, instance };
  }

  claim({ owner, again, config }: ClaimRequest): Promise<DaemonHealth> {
    const { id } = config;
    if (!isSandboxId(id)) throw invalidRequest('config.id: no sandbox id');
    return this.#queue.run(async () => {
      const held = this.#held.get(id);
      if (held !== undefined && held.owner !== owner)
        throw new SandboxError('conflict', 'this machine holds a sandbox of this id for another owner');
      // Of a damaged one nothing is known; its daemon says what is damaged.
      const isSame = held !== undefined && ['', config.created_at].includes(held.created_at);
      if (again && !isSame)
        throw new SandboxError('not_found', 'this machine does not hold that sandbox any more');
      // An earlier sandbox of this id was deleted while this machine was away.
      if (held !== undefined && !isSame) await this.#remove(id);
      if (!isSame) await this.#make(owner, config);
      return this.#host.ensure(id).catch((error: unknown) => {
        if (!isSandboxError(error, 'sandbox_not_found')) throw error;
        // Its folder was taken away.
        this.#held.delete(id);
        this.#changed();
        throw new SandboxError('not_found', 'this machine does not hold that sandbox any more');
      });
    }, id);
  }

  release({ owner, id, created_at }: ReleaseRequest): Promise<void> {
    return this.#queue.run(async () => {
      const held = this.#held.get(id);
      if (held === undefined) return;
      if (held.owner !== owner)
        throw new SandboxError('conflict', 'this machine holds the sandbox of another owner');
      if (created_at === undefined || ['', created_at].includes(held.created_at)) await this.#remove(id);
    }, id);
  }

  /** Starts the daemons of the sandboxes that the folder holds, so that they run before the first request. */
  async resume(): Promise<void> {
    for (const id of this.#held.keys())
      await this.#queue
        .run(() => this.#host.ensure(id), id)
        .catch((error: unknown) => this.#options.log.error('sandbox', { id, error: errorText(error) }));
    this.#spares.fill();
  }

  /** Takes no new sandboxes from now on. */
  drain(): void {
    this.#draining = true;
    void this.#spares.close();
    this.#changed();
  }

  /** Ends the computers; the sandboxes stay. */
  async stop(): Promise<void> {
    const held = [...this.#held.keys()].map((id) => this.#queue.run(() => this.#host.stop(id), id));
    await Promise.all([this.#spares.close(), ...held]);
  }

  async #make(owner: string, config: ClaimRequest['config']): Promise<void> {
    const { isolation, capacity } = this.#options;
    if (this.#draining) throw new SandboxError('conflict', 'this machine takes no new sandboxes');
    if (this.#held.size >= capacity)
      throw new SandboxError('conflict', `this machine holds ${capacity} other sandboxes, as many as it can`);
    const { id, created_at } = config;
    // The place is taken before anything is awaited, because claims of other sandboxes run at the same time.
    this.#held.set(id, { id, owner, created_at });
    try {
      if (!(await this.#spares.give(config, owner))) {
        // There is room for one computer only.
        if (isolation === 'container') await this.#spares.drop();
        await this.#folders.make({ ...config, ...this.#own(id) }, { owner });
      }
      this.#spares.fillSoon();
    } catch (error) {
      this.#held.delete(id);
      throw error;
    }
    this.#changed();
  }

  /** What this machine decides on itself, whatever the sandbox's owner says. */
  #own(name: string): Pick<SandboxConfig, 'isolation' | 'agent_uid'> {
    const { isolation } = this.#options;
    return { isolation, agent_uid: isolation === 'container' ? AGENT_UID : agentUidFor(name) };
  }

  async #remove(id: string): Promise<void> {
    await this.#folders.markDeleted(id);
    await this.#wipe(id);
    this.#held.delete(id);
    this.#spares.fill();
    this.#changed();
  }

  async #wipe(id: string): Promise<void> {
    await this.#host.end(id);
    if (this.#options.isolation === 'container') await removeAgentFiles();
    await this.#folders.remove(id);
  }

  /**
   * Whose sandbox a folder is; null when it is half made or half deleted. One with a damaged configuration is held,
   * because its owner has to delete it.
   */
  async #read(id: string): Promise<HeldSandbox | null> {
    // Earlier releases held one sandbox, and kept its owner beside it.
    const owner = this.#folders.ownerOf(id) ?? readText(join(this.#options.dir, 'owner')) ?? '';
    try {
      const config = await this.#folders.find(id);
      return config === null ? null : { id, owner, created_at: config.created_at };
    } catch (error) {
      if (error instanceof DamagedFileError) return { id, owner, created_at: '' };
      throw error;
    }
  }
}

function readOrMake(path: string, make: () => string): string {
  const found = readText(path);
  if (found !== null && found !== '') return found;
  const made = make();
  writeWholeSync(path, made);
  return made;
}
