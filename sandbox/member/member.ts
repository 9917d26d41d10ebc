import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonHealth } from '../daemon-health.ts';
import { type IsolationKind, SandboxError } from '@steadyhand/contracts';
import { SandboxFolders, isSandboxId } from '../client/sandbox-folders.ts';
import { type SandboxConfig, readConfig } from '../config.ts';
import { Daemon } from '../daemon/daemon.ts';
import type { EgressWay } from '../daemon/egress.ts';
import type { DaemonLog } from '../daemon/log.ts';
import { DESKTOP_PROGRAMS } from '../desktop/desktop-files.ts';
import { findProgram } from '../find-program.ts';
import { agentUidFor } from '../agent-uid.ts';
import { AGENT_UID } from '../isolation/backend.ts';
import { removeAgentFiles } from '../isolation/inside-container.ts';
import { removeControlGroups } from '../isolation/limits/cgroup.ts';
import { noIsolation } from '../isolation/none.ts';
import { layoutOf } from '../layout.ts';
import { DamagedFileError, readText } from '../record-file.ts';
import { writeWholeSync } from '../whole-file.ts';
import type { ClaimRequest, MemberState, ReleaseRequest } from './protocol.ts';

export interface MemberOptions {
  /** Everything that is kept; a folder that exists, mode 0700. */
  readonly dir: string;
  readonly isolation: Exclude<IsolationKind, 'remote'>;
  readonly egressWay: EgressWay;
  readonly nodePath: string;
  readonly guestEntry: string;
  readonly log: DaemonLog;
  /** The daemon was told to stop: this process is to end, and its supervisor starts the next. */
  readonly onEnd: () => void;
}

/** Holds at most one sandbox, with its daemon in this process, so that the end of the one is the end of the other. */
export class Member {
  readonly #options: MemberOptions;
  readonly #folders: SandboxFolders;
  #id: string;
  #held: string | null = null;
  #daemon: Daemon | null = null;
  #releasing = false;
  /** Claims and releases one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #changed: () => void = () => undefined;

  /** Carries on with the sandbox that the folder holds; a deletion that was cut short is finished. */
  static async open(options: MemberOptions): Promise<Member> {
    const member = new Member(options);
    for (const id of await member.#folders.ids()) {
      if (!(await member.#exists(id))) await member.#wipe(id);
      else member.#held = id;
    }
    return member;
  }

  private constructor(options: MemberOptions) {
    this.#options = options;
    this.#folders = new SandboxFolders(options.dir);
    this.#id = readOrMake(this.#file('member'), () => `mem_${randomBytes(12).toString('hex')}`);
  }

  get state(): MemberState {
    return {
      member: this.#id,
      sandbox: this.#held,
      owner: this.#held === null ? null : readText(this.#file('owner')),
      isolation: this.#options.isolation,
      missing: DESKTOP_PROGRAMS.filter((program) => findProgram(program) === null),
    };
  }

  /** The sandbox that it holds. */
  get sandbox(): string | null {
    return this.#held;
  }

  get daemon(): Daemon | null {
    return this.#daemon;
  }

  /** Called whenever the member has become used or free. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  claim({ owner, again, config }: ClaimRequest): Promise<DaemonHealth> {
    return this.#inTurn(async () => {
      if (!isSandboxId(config.id)) throw new SandboxError('invalid_request', 'config.id: no sandbox id');
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
    return this.#inTurn(async () => {
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

  /** Starts the daemon of the sandbox that is there, so that it is up before somebody asks. */
  resume(): Promise<void> {
    return this.#inTurn(async () => {
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

  /** One whose configuration is damaged is there: whoever has it deletes it. */
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
    // Wiped with the sandbox: the next one's may be somebody else.
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

  /** A daemon that was told to stop takes the process with it; one whose sandbox is deleted waits for the answer to go out. */
  #ended(): void {
    if (!this.#releasing) this.#options.onEnd();
  }

  /** Another member from here on: nobody's record of the old one fits. */
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

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

function readOrMake(path: string, make: () => string): string {
  const found = readText(path);
  if (found !== null && found !== '') return found;
  const made = make();
  writeWholeSync(path, made);
  return made;
}
