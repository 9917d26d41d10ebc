import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DEFAULT_NETWORKING,
  DEFAULT_LIMITS,
  NO_PACKAGES,
  type SandboxConfig,
  readConfig,
} from '../config.ts';
import { errorText } from '../error-fields.ts';
import type { EgressSettings } from '../egress/policy.ts';
import { machineMirrors } from '../egress/package-hosts.ts';
import { agentUidFor } from '../isolation/agent-uid.ts';
import type {
  ActionOutcome,
  ActionRequest,
  Compat,
  DaemonHealth,
  DisplaySize,
  Networking,
  Packages,
  SandboxInfo,
  SandboxLimits,
} from '../protocol.ts';
import { type Capabilities, detectCapabilities, type IsolationChoice } from './capabilities.ts';
import { ContainerMachines } from './container/container-machines.ts';
import { checkHosts, checkSide } from './check-request.ts';
import { ConnectionLostError, DaemonRefusal } from './daemon-connection.ts';
import { DaemonDirectory } from './daemon-directory.ts';
import {
  SandboxNotFoundError,
  SandboxPathNotFoundError,
  SandboxRequestError,
  SandboxUnavailableError,
} from './errors.ts';
import type { SandboxHost } from './host.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { SandboxLink } from './link.ts';
import { MachineHost } from './machines/machine-host.ts';
import type { Machines } from './machines/machines.ts';
import { ownerOf } from './machines/owner.ts';
import type { SandboxPool } from './pool/pool.ts';
import { refusalOf } from './refusal.ts';
import { SandboxFolders, isSandboxId, newSandboxId } from './sandbox-folders.ts';

const DEFAULT_DISPLAY: DisplaySize = { width: 1024, height: 768 };
const DEFAULT_IMAGE = 'steadyhand-sandbox';
const DEFAULT_BASH_TIMEOUT_MS = 120_000;
/** Connections lost in a row before a call gives up. */
const MAX_LOST = 6;

export interface SandboxLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SandboxesOptions {
  /** Folder of all sandboxes, e.g. `DATA_DIR/sandboxes`; made when missing. */
  readonly dir: string;
  /** The bundled daemon and guest. */
  readonly daemonEntry: string;
  readonly guestEntry: string;
  /** `auto` is bubblewrap where it works and an error where it does not; the others must be asked for. */
  readonly isolation: IsolationChoice;
  /** The image of containers. Default `steadyhand-sandbox`. */
  readonly containerImage?: string;
  /** Machines elsewhere, without which there is no `remote`. */
  readonly pool?: SandboxPool;
  /** Node's executable. Default: this process's. */
  readonly nodePath?: string;
  readonly logger: SandboxLogger;
  /**
   * Internal hosts that the programs inside may reach: names, `*.names`, each with `:port` or not, addresses and CIDR ranges.
   * Default: none. A daemon that runs keeps what it was started with.
   */
  readonly allowPrivate?: readonly string[];
  /** For sandboxes that are created without saying. */
  readonly defaults?: {
    readonly display?: DisplaySize;
    readonly compat?: Compat;
    /** Default 120,000. */
    readonly bashTimeoutMs?: number;
    /** Default: unrestricted. */
    readonly networking?: Networking;
    /** Default: 4,096 processes and nothing else. */
    readonly limits?: SandboxLimits;
  };
}

export interface CreateSandbox {
  /** `sbx_` and letters, digits, `_` or `-`. Default: a new one. */
  readonly id?: string;
  readonly display?: DisplaySize;
  readonly compat?: Compat;
  readonly networking?: Networking | undefined;
  /** Default: none. */
  readonly packages?: Packages;
  /** What its workspace is at first; for sandboxes on this machine. Default: nothing. */
  readonly snapshotId?: string | undefined;
  /** Rules that whoever hands in actions holds them against; kept as they are. */
  readonly policy?: unknown;
  /** Those that are left out are the default's; null holds none. */
  readonly limits?: Partial<SandboxLimits> | undefined;
}

/** All sandboxes of a data folder. Their daemons outlive this process; any process may use them, several at once too. */
export interface Sandboxes {
  /** Makes a sandbox and starts it; for an id that exists, starts that one and leaves it as it is. */
  create(options?: CreateSandbox): Promise<SandboxInfo>;
  /** What is known of a sandbox; starts nothing. */
  get(id: string): Promise<SandboxInfo>;
  list(): Promise<readonly SandboxInfo[]>;
  /** Starts the sandbox's daemon when none runs. */
  ensure(id: string): Promise<SandboxInfo>;
  /**
   * The outcome of the action under its key: performed now, or what is recorded. Reconnects by the key when the daemon
   * goes away. `signal` ends the waiting, not the action.
   */
  perform(
    id: string,
    request: ActionRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ActionOutcome>;
  /**
   * Does some work with the sandbox's daemon, which is started when need be. The work is done again when the connection is
   * lost, so it must be one that may be repeated.
   */
  reach<T>(
    id: string,
    work: (link: SandboxLink) => Promise<T>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<T>;
  /** Stops the action that runs or waits under this key; false when there is none. */
  interrupt(id: string, key: string): Promise<boolean>;
  /** PNG bytes of the screen as it is now. */
  screenshot(id: string): Promise<Uint8Array>;
  /** Leaves no process, socket, lock file, mount or folder; an id that does not exist is no error. */
  delete(id: string): Promise<void>;
  /** At a server's start: finds running daemons and finishes deletions and creations that were cut short. */
  adopt(): Promise<readonly SandboxInfo[]>;
  /** What this machine allows, tried once. */
  capabilities(): Promise<Capabilities>;
  /** Those on this machine, of whatever sandbox. */
  readonly snapshots: Pick<Snapshots, 'find' | 'list' | 'remove'>;
  /** Closes this process's connections; sandboxes go on. */
  close(): void;
}

export function createSandboxes(options: SandboxesOptions): Sandboxes {
  return new HostedSandboxes(options);
}

class HostedSandboxes implements Sandboxes {
  readonly #options: SandboxesOptions;
  readonly #folders: SandboxFolders;
  readonly #egress: EgressSettings;
  readonly #local: SandboxHost;
  #containers: { readonly machines: ContainerMachines; readonly host: SandboxHost } | null = null;
  #remote: SandboxHost | null = null;
  /** The hosts of sandboxes that were used: what a sandbox was created with never changes. */
  readonly #hosts = new Map<string, SandboxHost>();
  #capabilities: Promise<Capabilities> | null = null;
  /** Creations and deletions of one id wait for each other. */
  readonly #turns = new Map<string, Promise<unknown>>();

  get snapshots(): Sandboxes['snapshots'] {
    return this.#folders.snapshots;
  }

  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.#folders = new SandboxFolders(options.dir);
    this.#egress = { allow_private: options.allowPrivate ?? [], mirrors: machineMirrors() };
    this.#local = new DaemonDirectory(this.#folders, {
      nodePath: options.nodePath ?? process.execPath,
      daemonEntry: options.daemonEntry,
      guestEntry: options.guestEntry,
      egress: this.#egress,
      logger: options.logger,
    });
  }

  async create(options: CreateSandbox = {}): Promise<SandboxInfo> {
    if (options.id !== undefined) return this.#create(options.id, options);
    const id = newSandboxId();
    try {
      return await this.#create(id, options);
    } catch (error) {
      // Nobody knows its name.
      await this.delete(id).catch((reason: unknown) =>
        this.#options.logger.warn({ sandbox: id, reason: errorText(reason) }, 'not deleted yet'),
      );
      throw error;
    }
  }

  async #create(
    id: string,
    { display, compat, networking, packages, limits, policy, snapshotId }: CreateSandbox,
  ): Promise<SandboxInfo> {
    if (!isSandboxId(id)) {
      throw new SandboxRequestError('id: expected sbx_ and 1 to 100 letters, digits, underscores or hyphens');
    }
    const { defaults } = this.#options;
    const size = display ?? defaults?.display ?? DEFAULT_DISPLAY;
    checkSide('display.width', size.width);
    checkSide('display.height', size.height);
    checkHosts(networking);
    return this.#inTurn(id, async () => {
      if ((await this.#folders.find(id)) === null) {
        const isolation = await this.#isolation();
        const elsewhere = isolation === 'container' || isolation === 'remote';
        const config: SandboxConfig = {
          id,
          display: { width: size.width, height: size.height },
          compat: compat ?? defaults?.compat ?? 'default',
          isolation,
          networking: networking ?? defaults?.networking ?? DEFAULT_NETWORKING,
          packages: packages ?? NO_PACKAGES,
          ...(policy === undefined ? {} : { policy }),
          limits: { ...DEFAULT_LIMITS, ...defaults?.limits, ...limits },
          created_at: new Date().toISOString(),
          agent_uid: elsewhere ? null : agentUidFor(id),
          bash_timeout_ms: defaults?.bashTimeoutMs ?? DEFAULT_BASH_TIMEOUT_MS,
        };
        await this.#requireSnapshot(snapshotId, elsewhere);
        await this.#folders.make(config, { elsewhere, snapshot: snapshotId });
        this.#options.logger.info({ sandbox: id }, 'sandbox created');
      }
      return this.ensure(id);
    });
  }

  async #requireSnapshot(id: string | undefined, elsewhere: boolean): Promise<void> {
    if (id === undefined) return;
    if (elsewhere)
      throw new SandboxRequestError(
        'snapshot_id: a sandbox that is not on this machine begins without files',
      );
    if ((await this.snapshots.find(id)) === null)
      throw new SandboxPathNotFoundError(`snapshot ${id} does not exist`);
  }

  async get(id: string): Promise<SandboxInfo> {
    const config = await this.#config(id);
    return infoOf(config, await this.#look(config));
  }

  async list(): Promise<readonly SandboxInfo[]> {
    const infos = await Promise.all(
      (await this.#folders.ids()).map((id) =>
        this.get(id).catch((error: unknown) => {
          if (error instanceof SandboxNotFoundError) return null;
          throw error;
        }),
      ),
    );
    return infos.filter((info): info is SandboxInfo => info !== null);
  }

  async ensure(id: string): Promise<SandboxInfo> {
    const config = await this.#config(id);
    return infoOf(config, { health: await this.#hostOf(config).ensure(id) });
  }

  async perform(
    id: string,
    request: ActionRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ActionOutcome> {
    return this.reach(id, (link) => link.call<ActionOutcome>('POST', '/actions', { body: request, signal }), {
      signal,
    });
  }

  async interrupt(id: string, key: string): Promise<boolean> {
    const config = await this.#config(id);
    // A daemon that does not run has nothing to stop.
    if ((await this.#look(config)).health === null) return false;
    const { interrupted } = await this.reach(id, (link) =>
      link.call<{ readonly interrupted: boolean }>('POST', '/interrupt', { body: { key } }),
    );
    return interrupted;
  }

  async screenshot(id: string): Promise<Uint8Array> {
    return this.reach(id, async (link) => {
      const { body } = await link.stream('GET', '/screenshot');
      return readWhole(body);
    });
  }

  async delete(id: string): Promise<void> {
    await this.#inTurn(id, async () => {
      if (!(await this.#folders.ids()).includes(id)) return;
      const config = readConfig(this.#folders.folderOf(id));
      await this.#folders.markDeleted(id);
      await (config === null ? this.#local : this.#hostOf(config)).end(id);
      await this.#folders.remove(id);
      this.#hosts.delete(id);
      this.#options.logger.info({ sandbox: id }, 'sandbox deleted');
    });
  }

  async adopt(): Promise<readonly SandboxInfo[]> {
    await this.#folders.removeDrafts();
    for (const id of await this.#folders.ids()) {
      if (!(await this.#folders.isMarkedDeleted(id))) continue;
      // One that cannot be deleted now is no reason not to start.
      await this.delete(id).catch((error: unknown) =>
        this.#options.logger.warn({ sandbox: id, reason: errorText(error) }, 'not deleted yet'),
      );
    }
    return (await this.list()).filter(({ status }) => status === 'running');
  }

  capabilities(): Promise<Capabilities> {
    this.#capabilities ??= detectCapabilities(this.#options.isolation, {
      container: () => this.#container().machines.reasonAgainst(),
      remote: () =>
        Promise.resolve(this.#options.pool === undefined ? 'SANDBOX_POOL_TOKEN is not set' : null),
    });
    return this.#capabilities;
  }

  close(): void {
    for (const host of [this.#local, this.#containers?.host, this.#remote]) host?.close();
  }

  async reach<T>(
    id: string,
    work: (link: SandboxLink) => Promise<T>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    for (let lost = 1; ; lost += 1) {
      signal?.throwIfAborted();
      const host = this.#hosts.get(id) ?? this.#hostOf(await this.#config(id));
      const link = await unlessAborted(host.connect(id), signal);
      try {
        return await work(link);
      } catch (error) {
        if (error instanceof DaemonRefusal) throw refusalOf(id, error);
        if (!(error instanceof ConnectionLostError)) throw error;
        host.forget(id, link);
        if (lost >= MAX_LOST) throw new SandboxUnavailableError(id, error.message, { cause: error });
        await unlessAborted(pause(20 * 2 ** lost), signal);
      }
    }
  }

  /** One whose host is not configured here (any more) is not running as far as can be told. */
  async #look(config: SandboxConfig): ReturnType<SandboxHost['look']> {
    if (config.isolation === 'remote' && this.#options.pool === undefined)
      return { health: null, starting: false };
    return this.#hostOf(config).look(config.id);
  }

  #hostOf({ id, isolation }: SandboxConfig): SandboxHost {
    const host =
      isolation === 'container'
        ? this.#container().host
        : isolation === 'remote'
          ? this.#elsewhere(id)
          : this.#local;
    this.#hosts.set(id, host);
    return host;
  }

  #container(): { readonly machines: ContainerMachines; readonly host: SandboxHost } {
    if (this.#containers === null) {
      const { containerImage: image = DEFAULT_IMAGE, dir } = this.#options;
      const machines = new ContainerMachines({ folders: this.#folders, owner: ownerOf(dir), image });
      this.#containers = { machines, host: this.#machineHost(machines) };
    }
    return this.#containers;
  }

  #elsewhere(id: string): SandboxHost {
    const { pool } = this.#options;
    if (pool === undefined)
      throw new SandboxUnavailableError(id, 'it is in a pool, and SANDBOX_POOL_TOKEN is not set');
    this.#remote ??= this.#machineHost(pool);
    return this.#remote;
  }

  #machineHost(machines: Machines): SandboxHost {
    const { dir, logger } = this.#options;
    const shared = { folders: this.#folders, owner: ownerOf(dir), egress: this.#egress };
    return new MachineHost({ machines, logger, ...shared });
  }

  async #config(id: string): Promise<SandboxConfig> {
    const config = await this.#folders.find(id);
    if (config === null) throw new SandboxNotFoundError(id);
    return config;
  }

  async #isolation(): Promise<SandboxConfig['isolation']> {
    const { isolation } = await this.capabilities();
    if (isolation.chosen !== null) return isolation.chosen;
    // Asked again next time: an administrator may have allowed it since.
    this.#capabilities = null;
    throw new SandboxUnavailableError(null, `no sandbox can be made: ${isolation.reason}`);
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.#turns.set(id, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    }
  }
}

function infoOf(
  config: SandboxConfig,
  seen: { readonly health: DaemonHealth | null; readonly starting?: boolean },
): SandboxInfo {
  const { id, display, compat, isolation, networking, limits, policy, created_at } = config;
  const status = seen.health !== null ? 'running' : seen.starting === true ? 'starting' : 'stopped';
  return {
    id,
    status,
    display,
    compat,
    isolation,
    networking,
    limits,
    ...(policy === undefined ? {} : { policy }),
    created_at,
    boot: seen.health?.boot ?? null,
  };
}

/** The promise, or the signal's reason when that comes first; the work behind the promise goes on. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      try {
        signal.throwIfAborted();
      } catch (reason) {
        reject(reason);
      }
    };
    signal.addEventListener('abort', stop, { once: true });
    stop();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A stream's bytes; a stream that is cut short is a lost connection. */
async function readWhole(body: Readable): Promise<Buffer> {
  try {
    return Buffer.concat(await body.toArray());
  } catch (error) {
    throw new ConnectionLostError('the answer was cut short', { cause: error });
  }
}

export type { Capabilities } from './capabilities.ts';
