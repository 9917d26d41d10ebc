import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type ActionOutcome,
  type ActionRequest,
  type DamagedSandboxInfo,
  isSandboxError,
  SandboxError,
  type SandboxInfo,
} from '@steadyhand/contracts';
import {
  DEFAULT_BASH_TIMEOUT_MS,
  DEFAULT_DISPLAY,
  DEFAULT_LIMITS,
  DEFAULT_NETWORKING,
  NO_PACKAGES,
  type SandboxConfig,
} from '../config.ts';
import { errorText } from '../error-fields.ts';
import { invalidRequest } from '../invalid-request.ts';
import { agentUidFor } from '../agent-uid.ts';
import { DamagedFileError } from '../record-file.ts';
import { asDamage } from '../registry/damage-note.ts';
import type { SandboxRecord, SandboxRegistry } from '../registry/registry.ts';
import { SerialQueue } from '../serial-queue.ts';
import { type Capabilities, detectCapabilities } from './capabilities.ts';
import { checkTool } from '../check-tool.ts';
import { checkHosts, checkSide } from './check-request.ts';
import type { SandboxHost } from './hosts/host.ts';
import { Hosts, type HostsOptions } from './hosts/hosts.ts';
import { ConnectionLostError } from './connection/daemon-connection.ts';
import type { SandboxLink } from './connection/link.ts';
import { reachThrough, readWhole } from './reach.ts';
import { restoreThrough } from './snapshots.ts';
import { SandboxFolders, isSandboxId, newSandboxId, sandboxIdOfKey } from '../folders/sandbox-folders.ts';
import { damagedInfo, infoOf } from './sandbox-info.ts';
import { tracedAction } from './traced-action.ts';
import type { CreateSandbox, Interrupted, Sandboxes, SandboxesOptions } from './sandboxes.ts';

/** How long an interrupt waits for the daemon's answer. */
const INTERRUPT_MS = 1_000;
/** The pause before it is sent again over a new connection. */
const INTERRUPT_RETRY_MS = 20;

/** Sandboxes by their folders in the data folder, whichever host runs them. */
class HostedSandboxes implements Sandboxes {
  readonly #options: SandboxesOptions & HostsOptions;
  readonly #folders: SandboxFolders;
  readonly #hosts: Hosts;
  #capabilities: Promise<Capabilities> | null = null;
  /** Creations and deletions of one id run one after another. */
  readonly #queue = new SerialQueue();
  /** Sandboxes without a note of damage, as far as this process knows. */
  readonly #sound = new Set<string>();
  readonly #damaged = new Set<string>();

  get snapshots(): Sandboxes['snapshots'] {
    return this.#folders.snapshots;
  }

  get damaged(): number {
    return this.#damaged.size;
  }

  get archives(): Sandboxes['archives'] {
    return this.#options.archives ?? null;
  }

  constructor(options: SandboxesOptions & HostsOptions) {
    this.#options = options;
    this.#folders = new SandboxFolders(options.dir);
    this.#hosts = new Hosts(options, this.#folders);
  }

  async create(options: CreateSandbox = {}): Promise<SandboxInfo> {
    if (options.id !== undefined) return this.#create(options.id, options);
    // A half-made sandbox has a known id, so the same request continues with it.
    if (options.idempotency !== undefined)
      return this.#create(sandboxIdOfKey(options.idempotency.key), options);
    const id = newSandboxId();
    try {
      return await this.#create(id, options);
    } catch (error) {
      // Nobody knows the new id, so nobody could delete the sandbox later.
      await this.delete(id).catch((reason: unknown) =>
        this.#options.logger.warn({ sandbox: id, reason: errorText(reason) }, 'not deleted yet'),
      );
      throw error;
    }
  }

  async #create(
    id: string,
    { display, compat, networking, packages, limits, policy, snapshotId, idempotency, wait }: CreateSandbox,
  ): Promise<SandboxInfo> {
    if (!isSandboxId(id)) {
      throw invalidRequest('id: expected sbx_ and 1 to 100 letters, digits, underscores or hyphens');
    }
    const { defaults } = this.#options;
    const size = display ?? defaults?.display ?? DEFAULT_DISPLAY;
    checkSide('display.width', size.width);
    checkSide('display.height', size.height);
    checkHosts(networking);
    const config = await this.#queue.run(async () => {
      const existing = await this.#found(id);
      if (existing !== null) return existing.config;
      const isolation = await this.#isolation();
      const elsewhere = isElsewhere(isolation);
      const made: SandboxConfig = {
        id,
        display: { width: size.width, height: size.height },
        compat: compat ?? defaults?.compat ?? 'default',
        isolation,
        networking: networking ?? defaults?.networking ?? DEFAULT_NETWORKING,
        packages: packages ?? NO_PACKAGES,
        ...(policy === undefined ? {} : { policy }),
        ...(idempotency === undefined ? {} : { request: idempotency.request }),
        limits: { ...DEFAULT_LIMITS, ...defaults?.limits, ...limits },
        created_at: new Date().toISOString(),
        agent_uid: elsewhere ? null : agentUidFor(id),
        bash_timeout_ms: defaults?.bashTimeoutMs ?? DEFAULT_BASH_TIMEOUT_MS,
      };
      await this.#requireSnapshot(snapshotId, elsewhere);
      if (elsewhere) await this.#hosts.registryOf(isolation).add(made);
      else await this.#folders.make(made, { snapshot: snapshotId });
      this.#options.logger.info({ sandbox: id }, 'sandbox created');
      // Another process may have been first.
      return (await this.#record(id)).config;
    }, id);
    if (idempotency !== undefined && config.request !== idempotency.request)
      throw new SandboxError('key_reused', 'The idempotency key was used for another request');
    // A deletion does not wait for a place on a machine, but ends that waiting.
    const info = await (config.isolation === 'remote'
      ? this.#ensure(config, wait)
      : this.#queue.run(() => this.ensure(id), id));
    if (snapshotId !== undefined && isElsewhere(config.isolation))
      await this.reach(id, (link) =>
        restoreThrough(link, snapshotId, { archives: this.archives, first: true }),
      );
    return info;
  }

  async #requireSnapshot(id: string | undefined, elsewhere: boolean): Promise<void> {
    if (id === undefined) return;
    if (elsewhere && this.archives === null)
      throw invalidRequest('snapshot_id: a sandbox that is not on this machine begins without files');
    const snapshot = await (elsewhere ? this.archives : this.snapshots)?.find(id);
    if (!snapshot) throw new SandboxError('not_found', `snapshot ${id} does not exist`);
    if (snapshot.status === 'failed') throw invalidRequest(`snapshot_id: ${snapshot.reason}`);
  }

  async get(id: string): Promise<SandboxInfo | DamagedSandboxInfo> {
    try {
      const { config, damage, lost, placement } = await this.#record(id);
      if (damage === null) this.#damaged.delete(id);
      else this.#damaged.add(id);
      if (lost !== null) return infoOf(config, { lost });
      if (config.isolation === 'remote' && placement === null) return infoOf(config, { waiting: true });
      return infoOf(config, { ...(await this.#hosts.look(config)), damage });
    } catch (error) {
      const damage = asDamage(id, error);
      if (!isSandboxError(damage, 'damaged')) throw error;
      this.#damaged.add(id);
      return damagedInfo(id, this.#folders.folderOf(id), damage.reason);
    }
  }

  async list(): Promise<readonly (SandboxInfo | DamagedSandboxInfo)[]> {
    const infos = await Promise.all(
      (await this.#ids()).map((id) =>
        this.get(id).catch((error: unknown) => {
          if (isSandboxError(error, 'sandbox_not_found')) return null;
          throw error;
        }),
      ),
    );
    return infos.filter((info) => info !== null);
  }

  async ensure(id: string): Promise<SandboxInfo> {
    return this.#ensure((await this.#record(id)).config);
  }

  async #ensure(config: SandboxConfig, wait?: CreateSandbox['wait']): Promise<SandboxInfo> {
    const { id } = config;
    const health = await this.#noticing(id, () => this.#hosts.of(config).ensure(id, wait));
    return infoOf(config, { health });
  }

  async perform(
    id: string,
    request: ActionRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ActionOutcome> {
    const { name: tool } = checkTool(request.tool);
    return this.reach(
      id,
      async (link) => {
        // This is checked late because the action may have been interrupted while the daemon was being started.
        const isInterrupted = await (await this.#registryOf(id)).isInterrupted(id, request.key);
        const body = isInterrupted ? { ...request, interrupted: true } : request;
        return tracedAction(this.#options.tracing, id, tool, (trace) =>
          link.call<ActionOutcome>('POST', '/actions', { body, signal, ...trace }),
        );
      },
      { signal },
    );
  }

  async interrupt(id: string, key: string): Promise<Interrupted> {
    const late = new Promise<Interrupted>((resolve) =>
      setTimeout(() => resolve({ running: false, answered: false }), INTERRUPT_MS).unref(),
    );
    const asked = this.#interrupt(id, key);
    // A failure after the time limit is ignored.
    asked.catch(() => undefined);
    return Promise.race([asked, late]);
  }

  async #interrupt(id: string, key: string): Promise<Interrupted> {
    const { config } = await this.#record(id);
    const { logger } = this.#options;
    await this.#hosts
      .registryOf(config.isolation)
      .markInterrupted(id, key)
      .catch((error: unknown) =>
        logger.warn({ sandbox: id, reason: errorText(error) }, 'an interrupt was not noted'),
      );
    try {
      return await this.#stopAction(config, key);
    } catch (error) {
      logger.warn({ sandbox: id, reason: errorText(error) }, 'an interrupt was not heard');
      return { running: false, answered: false };
    }
  }

  async #stopAction(config: SandboxConfig, key: string): Promise<Interrupted> {
    const host = this.#hosts.of(config);
    const deadline = performance.now() + INTERRUPT_MS;
    for (;;) {
      const link = await host.running(config.id);
      // A daemon that does not run has nothing to stop; one that is being started finds the mark.
      if (link === null) return { running: false, answered: true };
      try {
        const body = { key };
        const { running } = await link.call<{ readonly running: boolean }>('POST', '/interrupt', { body });
        return { running, answered: true };
      } catch (error) {
        if (!(error instanceof ConnectionLostError) || performance.now() > deadline) throw error;
        // It is ending: the sockets of a killed process close before the process is gone.
        host.forget(config.id, link);
        await pause(INTERRUPT_RETRY_MS);
      }
    }
  }

  async screenshot(id: string): Promise<Uint8Array> {
    return this.reach(id, async (link) => {
      const { body } = await link.stream('GET', '/screenshot');
      return readWhole(body);
    });
  }

  async delete(id: string): Promise<void> {
    await this.#queue.run(async () => {
      let isKnown = false;
      for (const registry of this.#hosts.registries) {
        if (!(await registry.has(id))) continue;
        isKnown = true;
        const hosts = await this.#hostsOf(id);
        await registry.markDeleted(id);
        for (const host of hosts) await host.end(id);
        await registry.remove(id);
      }
      if (!isKnown) return;
      this.#hosts.forget(id);
      this.#sound.delete(id);
      this.#damaged.delete(id);
      this.#options.logger.info({ sandbox: id }, 'sandbox deleted');
    }, id);
  }

  async adopt(): Promise<readonly SandboxInfo[]> {
    await this.#folders.removeDrafts();
    for (const id of await this.#ids()) {
      const found = await this.#hosts.find(id).catch(() => null);
      if (found?.record.deleted !== true) continue;
      // A sandbox that cannot be deleted now must not keep the server from starting.
      await this.delete(id).catch((error: unknown) =>
        this.#options.logger.warn({ sandbox: id, reason: errorText(error) }, 'not deleted yet'),
      );
    }
    const all = await this.list();
    for (const { id, status, reason } of all)
      if (status === 'failed') this.#options.logger.warn({ sandbox: id, reason }, 'sandbox damaged');
    return all.filter((info): info is SandboxInfo => info.status === 'running');
  }

  capabilities(): Promise<Capabilities> {
    this.#capabilities ??= detectCapabilities(this.#options.isolation, {
      container: () => this.#hosts.reasonAgainstContainers(),
      remote: () =>
        Promise.resolve(this.#options.pool === undefined ? 'SANDBOX_POOL_TOKEN is not set' : null),
    });
    return this.#capabilities;
  }

  close(): void {
    this.#hosts.close();
  }

  async reach<T>(
    id: string,
    work: (link: SandboxLink) => Promise<T>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const hostOf = async (): Promise<SandboxHost> =>
      this.#hosts.used(id)?.host ?? this.#hosts.of((await this.#record(id)).config);
    return this.#noticing(id, () => reachThrough(hostOf, id, work, signal));
  }

  /** Records damage that a start or a call finds, until a start or a call succeeds. */
  async #noticing<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      if (!this.#sound.has(id)) await (await this.#registryOf(id)).noteDamage(id, null);
      this.#sound.add(id);
      this.#damaged.delete(id);
      return done;
    } catch (error) {
      const damage = asDamage(id, error);
      if (isSandboxError(damage, 'damaged')) {
        this.#sound.delete(id);
        this.#damaged.add(id);
        await (await this.#registryOf(id)).noteDamage(id, damage.reason);
      }
      throw damage;
    }
  }

  /** The hosts that may have a sandbox. For one whose record is damaged its placement decides. */
  async #hostsOf(id: string): Promise<readonly SandboxHost[]> {
    try {
      const found = await this.#hosts.find(id);
      return [found === null ? this.#hosts.local : this.#hosts.of(found.record.config)];
    } catch (error) {
      if (error instanceof DamagedFileError) return this.#hosts.ofUnknown(id);
      throw error;
    }
  }

  async #ids(): Promise<readonly string[]> {
    const all = await Promise.all(this.#hosts.registries.map((registry) => registry.ids()));
    return [...new Set(all.flat())].sort();
  }

  /** The registry that has a sandbox; for a damaged one that of this machine. */
  async #registryOf(id: string): Promise<SandboxRegistry> {
    const used = this.#hosts.used(id) ?? (await this.#hosts.find(id).catch(() => null));
    return used?.registry ?? this.#hosts.registryOf('none');
  }

  async #record(id: string): Promise<SandboxRecord> {
    const record = await this.#found(id);
    if (record === null) throw new SandboxError('sandbox_not_found', 'it does not exist', { sandbox: id });
    return record;
  }

  /** The record, or null when there is no such sandbox. Throws SandboxError `damaged`. */
  async #found(id: string): Promise<SandboxRecord | null> {
    if (!isSandboxId(id)) return null;
    try {
      const found = await this.#hosts.find(id);
      return found === null || found.record.deleted ? null : found.record;
    } catch (error) {
      throw asDamage(id, error);
    }
  }

  async #isolation(): Promise<SandboxConfig['isolation']> {
    const { isolation } = await this.capabilities();
    if (isolation.chosen !== null) return isolation.chosen;
    // The next call asks again, because an administrator may have allowed it by then.
    this.#capabilities = null;
    throw new SandboxError('unavailable', `no sandbox can be made: ${isolation.reason}`);
  }
}

function isElsewhere(isolation: SandboxConfig['isolation']): isolation is 'container' | 'remote' {
  return isolation === 'container' || isolation === 'remote';
}

/**
 * Opens the sandboxes of a data folder.
 * @example
 * const sandboxes = createSandboxes({ dir: './sandboxes', isolation: 'auto' });
 * const { id } = await sandboxes.create({ display: { width: 1280, height: 800 } });
 * const tool = { type: 'bash_20250124', name: 'bash' };
 * const outcome = await sandboxes.perform(id, { key: 'toolu_1', tool, input: { command: 'ls' } });
 */
export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const {
    daemonEntry = installed('sandbox-daemon.mjs'),
    guestEntry = installed('sandbox-guest.cjs'),
    logger = { info: () => undefined, warn: () => undefined },
  } = options;
  // The daemons' working directory is another one.
  const dir = resolve(options.dir);
  return new HostedSandboxes({ ...options, dir, daemonEntry, guestEntry, logger });
}

/** A built file of the installed package, in which this module is `dist/client/index.js`. */
function installed(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
