import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import type { SandboxConfig } from '../../config.ts';
import type { EgressSettings } from '../../egress/policy.ts';
import { errorText } from '../../error-fields.ts';
import {
  type ClaimRequest,
  isMachineId,
  type ReleaseRequest,
  SANDBOX_HEADER,
} from '../../pool-machine/protocol.ts';
import type { DaemonHealth } from '../../daemon-health.ts';
import { ConnectionLostError, DaemonConnection } from '../connection/daemon-connection.ts';
import { type Connected, ConnectedHost } from './connected-host.ts';
import type { SandboxLogger } from './host.ts';
import type { SandboxLink } from '../connection/link.ts';
import { DamagedFileError } from '../../record-file.ts';
import { withHeader } from '../connection/transport.ts';
import { keepEgressLine } from './egress-line.ts';
import type { Machines, MachineWait } from './machines.ts';
import type { FoundPlacement, SandboxRecord, SandboxRegistry } from '../../registry/registry.ts';

/** How long a chosen machine may be silent before another one is chosen. */
const UNANSWERED_MS = 10_000;
/** How long nothing may be known of a machine that has a sandbox: several times the interval of its registrations. */
const UNKNOWN_MS = 30_000;
/** A machine that was full may have room again after this time. */
const REFUSED_MS = 10_000;
const MAX_PAUSE_MS = 1_000;
const CLAIM_MS = 60_000;
const HEALTH_MS = 10_000;
const RELEASE_MS = 30_000;

interface MachineHostOptions {
  readonly machines: Machines;
  readonly registry: SandboxRegistry;
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
    const record = await this.#options.registry.find(id);
    if (record === null || record.deleted || record.lost !== null || record.placement === null)
      return { health: null, starting };
    const connection = await this.#connection(record.config, record.placement.machine, null).catch(
      () => null,
    );
    const health = await connection
      ?.call<DaemonHealth>('GET', '/health', { timeoutMs: HEALTH_MS })
      .catch(() => null);
    // A machine that holds another sandbox by now would answer too.
    return { health: health?.id === id ? health : null, starting };
  }

  async running(id: string): Promise<SandboxLink | null> {
    // Only the machine that holds the sandbox may be asked: another one's answer would be about another sandbox.
    const record = await this.#options.registry.find(id);
    if (record === null || record.deleted || record.lost !== null || record.placement === null) return null;
    return this.#connection(record.config, record.placement.machine, null);
  }

  async end(id: string): Promise<void> {
    const { machines, registry, logger } = this.#options;
    const placement = await this.#readable(id, registry.placement(id));
    if (placement === null) return;
    const found = await this.#readable(id, registry.find(id));
    const config = found?.config ?? { id, networking: { type: 'none' as const } };
    const owner = await registry.owner();
    const release = async (): Promise<boolean> => {
      const body: ReleaseRequest =
        found === null ? { owner, id } : { owner, id, created_at: found.config.created_at };
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

  protected async start(id: string, wait: MachineWait = {}): Promise<DaemonHealth> {
    const { registry, machines, logger } = this.#options;
    const begun = performance.now();
    const refusals = new Map<string, number>();
    const refused = (): ReadonlySet<string> => recent(refusals);
    let rounds = 0;
    let deadline = begun + Math.max(machines.startTimeoutMs, wait.waitMs ?? 0);
    let reason = 'its machine is away';
    let asked = begun;
    for (;;) {
      wait.signal?.throwIfAborted();
      const record = await this.#existing(id);
      const { config } = record;
      let { placement } = record;
      // When another process has claimed a machine meanwhile, the sandbox stays on it, because its files are there.
      if (placement === null || (!placement.held && refused().has(placement.machine))) {
        placement = await machines.place({ config, before: placement, refused, ...wait });
        asked = performance.now();
        deadline = Math.max(deadline, asked + machines.startTimeoutMs);
        // Another process was faster; its choice is read next.
        if (placement === null) continue;
      }
      try {
        const connection = await this.#connection(config, placement.machine, config);
        if (connection !== null) {
          const health = await this.#claim(config, placement, connection);
          if (!placement.held) {
            if ((await registry.follow(id, placement, { ...placement, held: true })) === null) {
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
          if (placement.held && (error.code === 'not_found' || error.code === 'conflict'))
            await this.#giveUp(id, placement, error.reason);
          else if (placement.held || error.code !== 'conflict')
            throw new SandboxError('unavailable', reason, { sandbox: id, cause: error });
          // Another sandbox has claimed the machine.
          else refusals.set(placement.machine, performance.now());
          continue;
        }
        if (!(error instanceof ConnectionLostError)) throw error;
      }
      if (placement.held) await this.#giveUpIfGone(id, placement, performance.now() - begun);
      // Nothing was performed on a machine that did not answer the claim, so another machine may be chosen.
      else if (performance.now() - asked > UNANSWERED_MS) refusals.set(placement.machine, performance.now());
      if (performance.now() > deadline) throw new SandboxError('unavailable', reason, { sandbox: id });
      rounds += 1;
      const ms = Math.min(100 * rounds, MAX_PAUSE_MS);
      await pause(ms, undefined, wait.signal === undefined ? {} : { signal: wait.signal });
    }
  }

  /** The record of a sandbox that exists and is not lost. */
  async #existing(id: string): Promise<SandboxRecord> {
    const record = await this.#options.registry.find(id);
    if (record === null || record.deleted)
      throw new SandboxError('sandbox_not_found', 'it does not exist', { sandbox: id });
    if (record.lost !== null) throw new SandboxError('lost', record.lost, { sandbox: id });
    return record;
  }

  /** Gives a sandbox up whose machine has been silent for too long. */
  async #giveUpIfGone(id: string, placement: FoundPlacement, waitedMs: number): Promise<void> {
    const { machines } = this.#options;
    const silent = await machines.silentMs(placement.machine);
    const { lostAfterMs } = machines;
    if (silent === null && waitedMs > Math.min(UNKNOWN_MS, lostAfterMs))
      await this.#giveUp(id, placement, 'nothing is known of its machine any more');
    if (silent !== null && silent > lostAfterMs) {
      const seconds = Math.round(silent / 1000);
      await this.#giveUp(id, placement, `nothing was heard of its machine for ${seconds} s`);
    }
  }

  async #giveUp(id: string, placement: FoundPlacement, reason: string): Promise<void> {
    const { registry, logger } = this.#options;
    if (!(await registry.markLost(id, placement, reason))) return;
    logger.warn({ sandbox: id, machine: placement.machine, reason }, 'the computer was lost');
  }

  async #claim(
    config: SandboxConfig,
    { machine, held }: FoundPlacement,
    connection: DaemonConnection,
  ): Promise<DaemonHealth> {
    const owner = await this.#options.registry.owner();
    const member = isMachineId(machine) ? { member: machine } : {};
    const body: ClaimRequest = { owner, ...member, again: held, config };
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

  /** A damaged record leads to no machine; what may be there is left behind. */
  async #readable<T>(id: string, reading: Promise<T>): Promise<T | null> {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      const { message: reason } = error;
      this.#options.logger.warn({ sandbox: id, reason }, 'not all is known of a deleted sandbox');
      return null;
    }
  }
}

function recent(refusals: ReadonlyMap<string, number>): ReadonlySet<string> {
  const now = performance.now();
  return new Set([...refusals].flatMap(([machine, at]) => (now - at < REFUSED_MS ? [machine] : [])));
}
