import { SandboxError } from '@steadyhand/contracts';
import type { SandboxConfig } from '../../config.ts';
import { machineMirrors } from '../../packages/machine-sources.ts';
import type { EgressSettings, NameResolution } from '../../egress/policy.ts';
import { ContainerMachines } from './container-machines.ts';
import { LocalHost } from './local-host.ts';
import type { SandboxHost, SandboxLogger } from './host.ts';
import type { SandboxPool } from './sandbox-pool.ts';
import { MachineHost } from './machine-host.ts';
import type { Machines } from './machines.ts';
import { isMachineId } from '../../pool-machine/protocol.ts';
import { FolderRegistry } from '../../registry/folder-registry.ts';
import type { FoundPlacement, SandboxRecord, SandboxRegistry } from '../../registry/registry.ts';
import type { SandboxFolders } from '../../folders/sandbox-folders.ts';

const DEFAULT_IMAGE = 'steadyhand-sandbox';

export interface HostsOptions {
  /** Folder of all sandboxes, e.g. `DATA_DIR/sandboxes`; made when missing. */
  readonly dir: string;
  /** The bundled daemon and guest: `sandbox-daemon.mjs` and `sandbox-guest.cjs`. */
  readonly daemonEntry: string;
  readonly guestEntry: string;
  /** The image of containers. Default `steadyhand-sandbox`. */
  readonly containerImage?: string;
  /** The sandbox pool. Without one there are no `remote` sandboxes. */
  readonly pool?: SandboxPool;
  /** Node's executable. Default: this process's. */
  readonly nodePath?: string;
  readonly logger: SandboxLogger;
  /**
   * Internal hosts that the programs inside may reach: names and `*.names`, each with or without `:port`, addresses and
   * CIDR ranges. Default: none. A running daemon keeps what it was started with.
   */
  readonly allowPrivate?: readonly string[];
  /** Who resolves names when `HTTPS_PROXY` is used. Default: `local`. */
  readonly resolve?: NameResolution;
}

/** The hosts of all kinds of sandbox and the records of their sandboxes, each host made when the first of its sandboxes is used. */
export class Hosts {
  readonly #options: HostsOptions;
  readonly #folders: SandboxFolders;
  readonly #egress: EgressSettings;
  /** The records of this machine's sandboxes and containers, in their folders. */
  readonly #registry: SandboxRegistry;
  /** The host of sandboxes on this machine. */
  readonly local: SandboxHost;
  #containers: { readonly machines: ContainerMachines; readonly host: SandboxHost } | null = null;
  #remote: SandboxHost | null = null;
  /** The hosts of the sandboxes that were used. A sandbox's configuration never changes, so neither does its host. */
  readonly #used = new Map<string, { readonly host: SandboxHost; readonly registry: SandboxRegistry }>();

  constructor(options: HostsOptions, folders: SandboxFolders) {
    this.#options = options;
    this.#folders = folders;
    this.#registry = new FolderRegistry(options.dir);
    this.#egress = {
      allow_private: options.allowPrivate ?? [],
      mirrors: machineMirrors(),
      resolve: options.resolve ?? 'local',
    };
    this.local = new LocalHost(folders, {
      nodePath: options.nodePath ?? process.execPath,
      daemonEntry: options.daemonEntry,
      guestEntry: options.guestEntry,
      egress: this.#egress,
      logger: options.logger,
    });
  }

  /** The host of a sandbox that was used before. */
  used(id: string): { readonly host: SandboxHost; readonly registry: SandboxRegistry } | undefined {
    return this.#used.get(id);
  }

  /** The host of a sandbox. Throws SandboxError `unavailable` when its kind is not configured. */
  of({ id, isolation }: SandboxConfig): SandboxHost {
    const host =
      isolation === 'container'
        ? this.#containerHost().host
        : isolation === 'remote'
          ? this.#remoteHost(id)
          : this.local;
    this.#used.set(id, { host, registry: this.registryOf(isolation) });
    return host;
  }

  /** The registries, the one of pool machines first; there are two when pool sandboxes are recorded elsewhere. */
  get registries(): readonly SandboxRegistry[] {
    const { pool } = this.#options;
    return pool === undefined || pool.isInFolder ? [this.#registry] : [pool.registry, this.#registry];
  }

  /** The registry of sandboxes of a kind. */
  registryOf(isolation: SandboxConfig['isolation']): SandboxRegistry {
    return (isolation === 'remote' ? this.registries[0] : undefined) ?? this.#registry;
  }

  /** The record of a sandbox, also while it is being deleted. Throws DamagedFileError. */
  async find(
    id: string,
  ): Promise<{ readonly record: SandboxRecord; readonly registry: SandboxRegistry } | null> {
    for (const registry of this.registries) {
      const record = await registry.find(id);
      if (record !== null) return { record, registry };
    }
    return null;
  }

  /** The hosts that may have a sandbox whose record is damaged: this machine, and the host that its placement names. */
  async ofUnknown(id: string): Promise<readonly SandboxHost[]> {
    let placement: FoundPlacement | null = null;
    for (const registry of this.registries) placement ??= await registry.placement(id).catch(() => null);
    if (placement === null) return [this.local];
    return [this.local, isMachineId(placement.machine) ? this.#remoteHost(id) : this.#containerHost().host];
  }

  /** Forgets a deleted sandbox. */
  forget(id: string): void {
    this.#used.delete(id);
  }

  /** A sandbox whose host is no longer configured counts as not running. */
  async look(config: SandboxConfig): ReturnType<SandboxHost['look']> {
    if (config.isolation === 'remote' && this.#options.pool === undefined)
      return { health: null, starting: false };
    return this.of(config).look(config.id);
  }

  /** Says why no container can be made here; null when one can. */
  reasonAgainstContainers(): Promise<string | null> {
    return this.#containerHost().machines.reasonAgainst();
  }

  close(): void {
    for (const host of [this.local, this.#containers?.host, this.#remote]) host?.close();
  }

  #containerHost(): { readonly machines: ContainerMachines; readonly host: SandboxHost } {
    if (this.#containers === null) {
      const { containerImage: image = DEFAULT_IMAGE } = this.#options;
      const registry = this.#registry;
      const machines = new ContainerMachines({ folders: this.#folders, registry, image });
      this.#containers = { machines, host: this.#machineHost(machines, registry) };
    }
    return this.#containers;
  }

  #remoteHost(id: string): SandboxHost {
    const { pool } = this.#options;
    if (pool === undefined)
      throw new SandboxError('unavailable', 'it is in a pool, and SANDBOX_POOL_TOKEN is not set', {
        sandbox: id,
      });
    this.#remote ??= this.#machineHost(pool, pool.registry);
    return this.#remote;
  }

  #machineHost(machines: Machines, registry: SandboxRegistry): SandboxHost {
    return new MachineHost({ machines, registry, egress: this.#egress, logger: this.#options.logger });
  }
}
