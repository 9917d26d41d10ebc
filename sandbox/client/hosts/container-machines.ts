import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '@steadyhand/contracts';
import type { SandboxConfig } from '../../config.ts';
import { errorText } from '../../error-fields.ts';
import type { FoundPlacement, SandboxRegistry } from '../../registry/registry.ts';
import type { Machines, PlacementRequest } from './machines.ts';
import type { SandboxFolders } from '../../folders/sandbox-folders.ts';
import { type Transport, unixTransport } from '../connection/transport.ts';
import { sharesSocketsWithContainers } from '../../isolation/laptop.ts';
import { ContainerRelays } from './container-relays.ts';
import { SOCKET, runArguments, type ContainerRuntime, findRuntime } from './container-runtime.ts';

interface ContainerOptions {
  readonly folders: SandboxFolders;
  readonly registry: SandboxRegistry;
  /** The name of an image built from sandbox/image. */
  readonly image: string;
}

/**
 * A container and a volume with the same name for each sandbox. They are made when they are first needed, started again
 * when they have ended, and removed with the sandbox. They outlive this process; the name says which data folder they
 * belong to. The daemon inside is reached by a socket in a folder that both sides see, so the container needs no
 * network: its egress also goes through that socket.
 */
export class ContainerMachines implements Machines {
  /** The first container of an image may take minutes, because some storage drivers copy the image whole. */
  readonly startTimeoutMs = 180_000;
  readonly lostAfterMs = Number.POSITIVE_INFINITY;
  readonly #options: ContainerOptions;
  #runtime: Promise<ContainerRuntime | { readonly reason: string }> | null = null;
  readonly #relays = new ContainerRelays();

  constructor(options: ContainerOptions) {
    this.#options = options;
  }

  /** There is one container for a sandbox, so refusals do not matter. */
  async place({ config: { id }, before }: PlacementRequest): Promise<FoundPlacement | null> {
    const { registry } = this.#options;
    const machine = `steadyhand-${(await registry.owner()).slice(-8)}-${id}`;
    return registry.follow(id, before, { machine, held: false });
  }

  silentMs(): Promise<number | null> {
    return Promise.resolve(0);
  }

  async transportTo(name: string, id: string, start: SandboxConfig | null): Promise<Transport | null> {
    if (!sharesSocketsWithContainers()) return this.#relayedTo(name, id, start);
    const link = join(this.#options.folders.folderOf(id), 'link');
    if (start !== null) await this.#run(name, start, link);
    return existsSync(join(link, SOCKET)) ? unixTransport(link, SOCKET) : null;
  }

  async #relayedTo(name: string, id: string, start: SandboxConfig | null): Promise<Transport | null> {
    const runtime = await this.#working(id);
    if (start !== null) await this.#run(name, start, null);
    else if ((await stateOf(runtime, name)) !== 'true') return null;
    return unixTransport((await this.#relays.of(runtime, name)).folder, SOCKET);
  }

  async leave(name: string, id: string): Promise<void> {
    const runtime = await this.#working(id);
    this.#relays.end(name);
    try {
      await runtime.run(['rm', '--force', '--volumes', name]).catch(ignoreAbsence);
      await runtime.run(['volume', 'rm', '--force', name]).catch(ignoreAbsence);
    } catch (error) {
      throw new SandboxError('unavailable', errorText(error), { sandbox: id, cause: error });
    }
  }

  close(): void {
    this.#relays.close();
  }

  /** Says why no container can be made; null when one can. */
  async reasonAgainst(): Promise<string | null> {
    const { image } = this.#options;
    const runtime = await (this.#runtime ??= findRuntime());
    if (!('run' in runtime)) {
      // The runtime may be started later, so the next call looks again.
      this.#runtime = null;
      return runtime.reason;
    }
    return runtime.run(['image', 'inspect', '--format', '{{.Id}}', image]).then(
      () => null,
      () => `${runtime.program} has no image ${image}: docs/container.md says how to build it`,
    );
  }

  async #run(name: string, config: SandboxConfig, link: string | null): Promise<void> {
    const { registry, image } = this.#options;
    const owner = await registry.owner();
    const runtime = await this.#working(config.id);
    const state = await stateOf(runtime, name);
    if (state === 'true') return;
    if (link !== null) {
      mkdirSync(link, { recursive: true });
      // The container's root may be any user of this machine. The folder above is closed to all users but ours.
      chmodSync(link, 0o777);
    }
    const args = state === null ? runArguments({ name, owner, image, config, link }) : ['start', name];
    try {
      await runtime.run(args, { cwd: this.#options.folders.folderOf(config.id) });
    } catch (error) {
      // Another process may have started the container first.
      if ((await stateOf(runtime, name)) !== 'true')
        throw new SandboxError('unavailable', errorText(error), { sandbox: config.id, cause: error });
    }
  }

  async #working(id: string): Promise<ContainerRuntime> {
    const runtime = await (this.#runtime ??= findRuntime());
    if ('run' in runtime) return runtime;
    this.#runtime = null;
    throw new SandboxError('unavailable', runtime.reason, { sandbox: id });
  }
}

/** `true` while the container runs, `false` when it has ended, null when there is none. */
function stateOf(runtime: ContainerRuntime, name: string): Promise<string | null> {
  return runtime.run(['container', 'inspect', '--format', '{{.State.Running}}', name]).catch(() => null);
}

function ignoreAbsence(error: unknown): void {
  if (!/no such|not exist|no container|no volume/i.test(errorText(error))) throw error;
}
