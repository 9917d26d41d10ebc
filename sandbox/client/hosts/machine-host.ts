import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import type { SandboxConfig } from '../../config.ts';
import type { EgressSettings } from '../../egress/policy.ts';
import { errorText } from '../../error-fields.ts';
import { type ClaimRequest, type ReleaseRequest, SANDBOX_HEADER } from '../../pool-machine/protocol.ts';
import type { DaemonHealth } from '../../daemon-health.ts';
import { ConnectionLostError, DaemonConnection } from '../connection/daemon-connection.ts';
import { type Connected, ConnectedHost } from './connected-host.ts';
import type { SandboxLogger } from './host.ts';
import type { SandboxLink } from '../connection/link.ts';
import type { SandboxFolders } from '../../folders/sandbox-folders.ts';
import { unlessDamaged } from '../../record-file.ts';
import { withHeader } from '../connection/transport.ts';
import { keepEgressLine } from './egress-line.ts';
import type { Machines } from './machines.ts';
import {
  type FoundPlacement,
  followPlacement,
  type Placement,
  readPlacement,
} from '../../folders/placement.ts';

/** How long a chosen machine may be silent before another one is chosen. */
const UNANSWERED_MS = 10_000;
const CLAIM_MS = 60_000;
const HEALTH_MS = 10_000;
const RELEASE_MS = 30_000;

interface MachineHostOptions {
  readonly machines: Machines;
  readonly folders: SandboxFolders;
  /** Names the owner of these sandboxes, for machines that several servers use. */
  readonly owner: string;
  /** What sandboxes whose egress goes through this process may reach beside the public network. */
  readonly egress: EgressSettings;
  readonly logger: SandboxLogger;
}

interface Known extends Connected {
  readonly machine: string;
  /** Ends the egress line over the connection. */
  readonly ending: AbortController;
}

/** The host of sandboxes whose daemons run on machines or in containers of their own: see `sandbox/pool-machine`. */
export class MachineHost extends ConnectedHost<Known> {
  readonly #options: MachineHostOptions;
  protected readonly goneText = 'its machine has just gone away';
  /** While a machine is being chosen, a connection may lead to one that will not be used. */
  protected readonly keptWhileStarting = false;

  constructor(options: MachineHostOptions) {
    super();
    this.#options = options;
  }

  async look(id: string): Promise<{ readonly health: DaemonHealth | null; readonly starting: boolean }> {
    const starting = this.isStarting(id);
    const config = await this.#options.folders.find(id);
    const placement = config === null ? null : this.#placement(id);
    if (config === null || placement === null) return { health: null, starting };
    const connection = await this.#connection(config, placement.machine, null).catch(() => null);
    const health = await connection
      ?.call<DaemonHealth>('GET', '/health', { timeoutMs: HEALTH_MS })
      .catch(() => null);
    // A machine that holds another sandbox by now would answer too.
    return { health: health?.id === id ? health : null, starting };
  }

  async running(id: string): Promise<SandboxLink | null> {
    const placement = this.#placement(id);
    if (placement === null) return null;
    // Only the machine that holds the sandbox may be asked: another one's answer would be about another sandbox.
    const config = await this.#options.folders.find(id);
    return config === null ? null : this.#connection(config, placement.machine, null);
  }

  async end(id: string): Promise<void> {
    const { folders, machines, owner, logger } = this.#options;
    const placement = this.#placementOrNull(id);
    if (placement === null) return;
    const read = unlessDamaged(
      () => folders.read(id),
      () => null,
    );
    const config = read ?? { id, networking: { type: 'none' as const } };
    const release = async (): Promise<boolean> => {
      const body: ReleaseRequest = { owner, id };
      try {
        const connection = await this.#connection(config, placement.machine, null);
        await connection?.call('POST', '/member/release', { body, timeoutMs: RELEASE_MS });
        if (connection !== null) return true;
      } catch (error) {
        // The machine holds another sandbox by now, so ours is gone from it.
        if (error instanceof SandboxError && error.code === 'conflict') return true;
        if (!(error instanceof ConnectionLostError))
          throw new SandboxError('unavailable', errorText(error), { sandbox: id });
      }
      logger.warn({ sandbox: id, machine: placement.machine }, 'the machine of a deleted sandbox is away');
      return false;
    };
    await machines.leave(placement.machine, id, release);
    this.forget(id);
  }

  override close(): void {
    super.close();
    this.#options.machines.close();
  }

  protected override disconnect(known: Known): void {
    known.ending.abort();
    super.disconnect(known);
  }

  protected async start(id: string): Promise<DaemonHealth> {
    const { folders, machines, logger } = this.#options;
    const deadline = performance.now() + machines.startTimeoutMs;
    const refused = new Set<string>();
    let reason = 'its machine is away';
    let asked = performance.now();
    for (;;) {
      const config = await folders.find(id);
      if (config === null) throw new SandboxError('sandbox_not_found', 'it does not exist', { sandbox: id });
      let placement = this.#placement(id);
      // When another process has claimed a machine meanwhile, the sandbox stays on it, because its files are there.
      if (placement === null || (!placement.held && refused.has(placement.machine))) {
        const machine = await machines.choose(config, refused);
        placement = await this.#followPlacement(id, placement, { machine, held: false });
        asked = performance.now();
        // Another process of this data folder was faster; its choice is read next.
        if (placement === null) continue;
      }
      try {
        const connection = await this.#connection(config, placement.machine, config);
        if (connection !== null) {
          const health = await this.#claim(config, placement, connection);
          if (!placement.held) {
            if ((await this.#followPlacement(id, placement, { ...placement, held: true })) === null) {
              this.forget(id);
              continue;
            }
            logger.info({ sandbox: id, machine: placement.machine }, 'sandbox placed');
          }
          return health;
        }
      } catch (error) {
        reason = errorText(error);
        this.forget(id);
        // A daemon's own errors name no sandbox.
        if (error instanceof SandboxError && error.sandbox === null) {
          if (error.code === 'damaged')
            throw new SandboxError('damaged', error.reason, { sandbox: id, cause: error });
          if (placement.held || error.code !== 'conflict')
            throw new SandboxError('unavailable', reason, { sandbox: id, cause: error });
          // Another sandbox has claimed the machine.
          refused.add(placement.machine);
          continue;
        }
        if (!(error instanceof ConnectionLostError)) throw error;
      }
      // Nothing was performed on a machine that did not answer the claim, so another machine may be chosen.
      if (!placement.held && performance.now() - asked > UNANSWERED_MS) refused.add(placement.machine);
      if (performance.now() > deadline) throw new SandboxError('unavailable', reason, { sandbox: id });
      await pause(100);
    }
  }

  #claim(config: SandboxConfig, { held }: Placement, connection: DaemonConnection): Promise<DaemonHealth> {
    const body: ClaimRequest = { owner: this.#options.owner, again: held, config };
    return connection.call<DaemonHealth>('POST', '/member/claim', { body, timeoutMs: CLAIM_MS });
  }

  async #connection(
    config: Pick<SandboxConfig, 'id' | 'networking'>,
    machine: string,
    /** The configuration for starting the machine when it does not run; null starts nothing. */
    start: SandboxConfig | null,
  ): Promise<DaemonConnection | null> {
    const known = this.known(config.id);
    if (known?.machine === machine) return known.connection;
    this.forget(config.id);
    const transport = await this.#options.machines.transportTo(machine, config.id, start);
    if (transport === null) return null;
    // Another call may have connected meanwhile; its connection is as good.
    const found = this.known(config.id);
    if (found?.machine === machine) {
      transport.close();
      return found.connection;
    }
    const connection = new DaemonConnection(withHeader(transport, SANDBOX_HEADER, config.id));
    const ending = new AbortController();
    this.keep(config.id, { machine, connection, ending });
    if (config.networking.type !== 'none') {
      const options = { networking: config.networking, settings: this.#options.egress, env: process.env };
      void keepEgressLine(connection, options, ending.signal);
    }
    return connection;
  }

  /** A damaged placement leads to no machine; what may be there is left behind. */
  #placementOrNull(id: string): FoundPlacement | null {
    return unlessDamaged(
      () => this.#placement(id),
      ({ message: reason }) => {
        this.#options.logger.warn({ sandbox: id, reason }, 'its machine is not known any more');
        return null;
      },
    );
  }

  #placement(id: string): FoundPlacement | null {
    return readPlacement(this.#options.folders.folderOf(id));
  }

  #followPlacement(
    id: string,
    before: FoundPlacement | null,
    placement: Placement,
  ): Promise<FoundPlacement | null> {
    return followPlacement(this.#options.folders.folderOf(id), before, placement);
  }
}
