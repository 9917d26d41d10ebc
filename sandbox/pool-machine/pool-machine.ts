import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type IsolationKind, SandboxError } from '@steadyhand/contracts';
import { invalidRequest } from '../invalid-request.ts';
import type { DaemonHealth } from '../daemon-health.ts';
import { SandboxFolders, isSandboxId } from '../folders/sandbox-folders.ts';
import { type SandboxConfig, readConfig } from '../config.ts';
import { Daemon } from '../daemon/daemon.ts';
import type { EgressWay } from '../daemon/egress.ts';
import type { DaemonLog } from '../daemon-log.ts';
import { DESKTOP_PROGRAMS } from '../desktop/desktop-files.ts';
import { findProgram } from '../find-program.ts';
import { agentUidFor } from '../agent-uid.ts';
import { AGENT_UID } from '../isolation/backend.ts';
import { removeAgentFiles } from '../isolation/inside-container.ts';
import { removeControlGroups } from '../isolation/limits/cgroup.ts';
import { noIsolation } from '../isolation/none.ts';
import { layoutOf } from '../layout.ts';
import { DamagedFileError, readText } from '../record-file.ts';
import { SerialQueue } from '../serial-queue.ts';
import { writeWholeSync } from '../whole-file.ts';
import type { ClaimRequest, PoolMachineState, ReleaseRequest } from './protocol.ts';

export interface PoolMachineOptions {
  /** The folder of all state; it has to exist, with mode 0700. */
  readonly dir: string;
  readonly isolation: Exclude<IsolationKind, 'remote'>;
  readonly egressWay: EgressWay;
  readonly nodePath: string;
  readonly guestEntry: string;
  readonly log: DaemonLog;
  /** Called when the daemon was told to stop: this process has to end, and its supervisor starts the next. */
  readonly onEnd: () => void;
}

/** Holds at most one sandbox. The daemon runs in this process, so that both end together. */
export class PoolMachine {
  readonly #options: PoolMachineOptions;
  readonly #folders: SandboxFolders;
  #id: string;
  #held: string | null = null;
  #daemon: Daemon | null = null;
  #releasing = false;
  /** Claims and releases run one after another. */
  readonly #queue = new SerialQueue();
  #changed: () => void = () => undefined;

  /** Opens the folder with the sandbox that it holds; a deletion that was cut short is finished. */
  static async open(options: PoolMachineOptions): Promise<PoolMachine> {
    const member = new PoolMachine(options);
    for (const id of await member.#folders.ids()) {
      if (!(await member.#exists(id))) await member.#wipe(id);
      else member.#held = id;
    }
    return member;
  }

  private constructor(options: PoolMachineOptions) {
    this.#options = options;
    this.#folders = new SandboxFolders(options.dir);
    this.#id = readOrMake(this.#file('member'), () => `mem_${randomBytes(12).toString('hex')}`);
  }

  get state(): PoolMachineState {
    return {
      member: this.#id,
      sandbox: this.#held,
      owner: this.#held === null ? null : readText(this.#file('owner')),
      isolation: this.#options.isolation,
      missing: DESKTOP_PROGRAMS.filter((program) => findProgram(program) === null),
    };
  }

  /** The id of the sandbox that it holds. */
  get sandbox(): string | null {
    return this.#held;
  }

  get daemon(): Daemon | null {
    return this.#daemon;
  }

  /** Sets a function that is called whenever the machine has become used or free. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  claim({ owner, again, config }: ClaimRequest): Promise<DaemonHealth> {
    return this.#queue.run(async () => {
      if (!isSandboxId(config.id)) throw invalidRequest('config.id: no sandbox id');
      const { sandbox, owner: present } = this.state;
      if (sandbox !== null && (sandbox !== config.id || present !== owner))
        throw new SandboxError('conflict', 'this machine holds another sandbox');
      if (sandbox === null && again)
        throw new SandboxError('not_found', 'this machine does not hold that sandbox any more');
      if (sandbox === null) await this.#make(owner, config);
      this.#daemon ??= await this.#start(config.id);
      return this.#daemon.health();
    });
  }

  release({ owner, id }: ReleaseRequest): Promise<void> {
    return this.#queue.run(async () => {
      const { sandbox, owner: present } = this.state;
      if (sandbox === null) return;
      if (sandbox !== id || present !== owner)
        throw new SandboxError('conflict', 'this machine holds another sandbox');
      this.#releasing = true;
      await this.#folders.markDeleted(id);
      await this.#daemon?.shutdown();
      this.#daemon = null;
      await this.#wipe(id);
      this.#held = null;
      this.#changed();
    });
  }

  /** Starts the daemon of the sandbox that the folder holds, so that it runs before the first request. */
  resume(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#held !== null) this.#daemon ??= await this.#start(this.#held);
    });
  }

  /** Ends the computer; the sandbox stays. */
  async stop(): Promise<void> {
    await this.#daemon?.shutdown();
  }

  async #make(owner: string, config: SandboxConfig): Promise<void> {
    const { isolation } = this.#options;
    writeWholeSync(this.#file('owner'), owner);
    await this.#folders.make({
      ...config,
      isolation,
      agent_uid: isolation === 'container' ? AGENT_UID : agentUidFor(config.id),
    });
    this.#held = config.id;
    this.#changed();
  }

  /** Whether a sandbox exists. One with a damaged configuration does, because its owner has to delete it. */
  async #exists(id: string): Promise<boolean> {
    try {
      return (await this.#folders.find(id)) !== null;
    } catch (error) {
      if (error instanceof DamagedFileError) return true;
      throw error;
    }
  }

  async #start(id: string): Promise<Daemon> {
    const { nodePath, guestEntry, log, egressWay } = this.#options;
    const folder = this.#folders.folderOf(id);
    const config = readConfig(folder);
    if (config === null) throw new SandboxError('unavailable', 'the sandbox has no configuration');
    const onShutdown = (): void => this.#ended();
    // Snapshots are wiped with the sandbox, because the next sandbox may belong to somebody else.
    const { snapshots } = layoutOf(folder);
    return await Daemon.start({
      folder,
      config,
      egressWay,
      snapshots,
      nodePath,
      guestEntry,
      log,
      onShutdown,
    });
  }

  /** A daemon's end ends the process, after a release only when the answer was sent. */
  #ended(): void {
    if (!this.#releasing) this.#options.onEnd();
  }

  /** Removes all of the sandbox. The machine gets a new id, so that no record of the old one matches. */
  async #wipe(id: string): Promise<void> {
    const { isolation } = this.#options;
    if (isolation === 'none') await noIsolation(id, layoutOf(this.#folders.folderOf(id))).cleanUp();
    await removeControlGroups(id);
    if (isolation === 'container') await removeAgentFiles();
    await this.#folders.remove(id);
    rmSync(this.#file('owner'), { force: true });
    rmSync(this.#file('member'), { force: true });
    this.#id = readOrMake(this.#file('member'), () => `mem_${randomBytes(12).toString('hex')}`);
  }

  #file(name: string): string {
    return join(this.#options.dir, name);
  }
}

function readOrMake(path: string, make: () => string): string {
  const found = readText(path);
  if (found !== null && found !== '') return found;
  const made = make();
  writeWholeSync(path, made);
  return made;
}
