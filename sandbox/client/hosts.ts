import { SandboxError } from '@steadyhand/contracts';
import type { SandboxConfig } from '../config.ts';
import { machineMirrors } from '../packages/machine-sources.ts';
import type { EgressSettings } from '../egress/policy.ts';
import { ContainerMachines } from './container/container-machines.ts';
import { DaemonDirectory } from './daemon-directory.ts';
import { DamagedFileError } from '../record-file.ts';
import type { SandboxHost } from './host.ts';
import { MachineHost } from './machines/machine-host.ts';
import type { Machines } from './machines/machines.ts';
import { ownerOf } from './machines/owner.ts';
import { type Place, readPlace } from './machines/place.ts';
import { isMemberId } from './pool/member-folder.ts';
import type { SandboxFolders } from './sandbox-folders.ts';
import type { SandboxesOptions } from './sandboxes.ts';

const DEFAULT_IMAGE = 'steadyhand-sandbox';

/** Where sandboxes live: the host of each kind, made when the first of its sandboxes is used. */
export class Hosts {
  readonly #options: SandboxesOptions;
  readonly #folders: SandboxFolders;
  readonly #egress: EgressSettings;
  /** Of sandboxes on this machine. */
  readonly local: SandboxHost;
  #containers: { readonly machines: ContainerMachines; readonly host: SandboxHost } | null = null;
  #remote: SandboxHost | null = null;
  /** The hosts of sandboxes that were used: what a sandbox was created with never changes. */
  readonly #used = new Map<string, SandboxHost>();

  constructor(options: SandboxesOptions, folders: SandboxFolders) {
    this.#options = options;
    this.#folders = folders;
    this.#egress = {
      allow_private: options.allowPrivate ?? [],
      mirrors: machineMirrors(),
      resolve: options.resolve ?? 'local',
    };
    this.local = new DaemonDirectory(folders, {
      nodePath: options.nodePath ?? process.execPath,
      daemonEntry: options.daemonEntry,
      guestEntry: options.guestEntry,
      egress: this.#egress,
      logger: options.logger,
    });
  }

  /** That of a sandbox that was used before. */
  used(id: string): SandboxHost | undefined {
    return this.#used.get(id);
  }

  /** Throws SandboxError `unavailable` where there is none of its kind. */
  of({ id, isolation }: SandboxConfig): SandboxHost {
    const host =
      isolation === 'container'
        ? this.#container().host
        : isolation === 'remote'
          ? this.#elsewhere(id)
          : this.local;
    this.#used.set(id, host);
    return host;
  }

  /** Where a sandbox may be whose record is damaged: on this machine, or where the note of its place says. */
  ofUnknown(id: string): readonly SandboxHost[] {
    const place = placeOrNull(this.#folders.folderOf(id));
    if (place === null) return [this.local];
    return [this.local, isMemberId(place.machine) ? this.#elsewhere(id) : this.#container().host];
  }

  /** The sandbox is deleted. */
  forget(id: string): void {
    this.#used.delete(id);
  }

  /** One whose host is not configured here (any more) is not running as far as can be told. */
  async look(config: SandboxConfig): ReturnType<SandboxHost['look']> {
    if (config.isolation === 'remote' && this.#options.pool === undefined)
      return { health: null, starting: false };
    return this.of(config).look(config.id);
  }

  /** Why there can be no containers here; null when there can. */
  reasonAgainstContainers(): Promise<string | null> {
    return this.#container().machines.reasonAgainst();
  }

  close(): void {
    for (const host of [this.local, this.#containers?.host, this.#remote]) host?.close();
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
      throw new SandboxError('unavailable', 'it is in a pool, and SANDBOX_POOL_TOKEN is not set', {
        sandbox: id,
      });
    this.#remote ??= this.#machineHost(pool);
    return this.#remote;
  }

  #machineHost(machines: Machines): SandboxHost {
    const { dir, logger } = this.#options;
    const shared = { folders: this.#folders, owner: ownerOf(dir), egress: this.#egress };
    return new MachineHost({ machines, logger, ...shared });
  }
}

/** Null also when nobody can tell any more. */
function placeOrNull(folder: string): Place | null {
  try {
    return readPlace(folder);
  } catch (error) {
    if (error instanceof DamagedFileError) return null;
    throw error;
  }
}
