import {
  DEFAULT_NETWORKING,
  DEFAULT_LIMITS,
  NO_PACKAGES,
  type SandboxConfig,
  readConfig,
} from '../config.ts';
import { errorText } from '../error-fields.ts';
import { agentUidFor } from '../isolation/agent-uid.ts';
import type { ActionOutcome, ActionRequest, DisplaySize, SandboxInfo } from '../protocol.ts';
import { type Capabilities, detectCapabilities } from './capabilities.ts';
import { checkHosts, checkSide } from './check-request.ts';
import {
  SandboxKeyReusedError,
  SandboxNotFoundError,
  SandboxPathNotFoundError,
  SandboxRequestError,
  SandboxUnavailableError,
} from './errors.ts';
import type { SandboxHost } from './host.ts';
import { Hosts } from './hosts.ts';
import type { SandboxLink } from './link.ts';
import { reachThrough, readWhole } from './reach.ts';
import { SandboxFolders, isSandboxId, newSandboxId, sandboxIdOfKey } from './sandbox-folders.ts';
import { infoOf } from './sandbox-info.ts';
import type { CreateSandbox, Sandboxes, SandboxesOptions } from './sandboxes.ts';

const DEFAULT_DISPLAY: DisplaySize = { width: 1024, height: 768 };
const DEFAULT_BASH_TIMEOUT_MS = 120_000;

/** Sandboxes by their folders here, whatever their hosts. */
export class HostedSandboxes implements Sandboxes {
  readonly #options: SandboxesOptions;
  readonly #folders: SandboxFolders;
  readonly #hosts: Hosts;
  #capabilities: Promise<Capabilities> | null = null;
  /** Creations and deletions of one id wait for each other. */
  readonly #turns = new Map<string, Promise<unknown>>();

  get snapshots(): Sandboxes['snapshots'] {
    return this.#folders.snapshots;
  }

  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.#folders = new SandboxFolders(options.dir);
    this.#hosts = new Hosts(options, this.#folders);
  }

  async create(options: CreateSandbox = {}): Promise<SandboxInfo> {
    if (options.id !== undefined) return this.#create(options.id, options);
    // What comes of a failure has a name: the same request again goes on with it.
    if (options.idempotency !== undefined)
      return this.#create(sandboxIdOfKey(options.idempotency.key), options);
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
    { display, compat, networking, packages, limits, policy, snapshotId, idempotency }: CreateSandbox,
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
          ...(idempotency === undefined ? {} : { request: idempotency.request }),
          limits: { ...DEFAULT_LIMITS, ...defaults?.limits, ...limits },
          created_at: new Date().toISOString(),
          agent_uid: elsewhere ? null : agentUidFor(id),
          bash_timeout_ms: defaults?.bashTimeoutMs ?? DEFAULT_BASH_TIMEOUT_MS,
        };
        await this.#requireSnapshot(snapshotId, elsewhere);
        await this.#folders.make(config, { elsewhere, snapshot: snapshotId });
        this.#options.logger.info({ sandbox: id }, 'sandbox created');
      }
      if (idempotency !== undefined && this.#folders.read(id)?.request !== idempotency.request)
        throw new SandboxKeyReusedError('The idempotency key was used for another request');
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
    return infoOf(config, await this.#hosts.look(config));
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
    return infoOf(config, { health: await this.#hosts.of(config).ensure(id) });
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
    if ((await this.#hosts.look(config)).health === null) return false;
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
      await (config === null ? this.#hosts.local : this.#hosts.of(config)).end(id);
      await this.#folders.remove(id);
      this.#hosts.forget(id);
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
      this.#hosts.used(id) ?? this.#hosts.of(await this.#config(id));
    return reachThrough(hostOf, id, work, signal);
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
