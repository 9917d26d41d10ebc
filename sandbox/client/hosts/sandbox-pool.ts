import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import { errorText } from '../../error-fields.ts';
import type { MachineState, ReleaseRequest } from '../../pool-machine/protocol.ts';
import { freePlaces } from '../../registry/choose-place.ts';
import { FolderRegistry } from '../../registry/folder-registry.ts';
import type {
  Address,
  FoundPlacement,
  KnownMachine,
  SandboxRecord,
  SandboxRegistry,
} from '../../registry/registry.ts';
import { DaemonConnection } from '../connection/daemon-connection.ts';
import type { SandboxLogger } from './host.ts';
import type { Machines, PlacementRequest } from './machines.ts';
import { DamagedFileError } from '../../record-file.ts';
import { tlsTransport } from '../connection/tls-transport.ts';
import type { Transport } from '../connection/transport.ts';
import { type SignedRegistration, answerOf, readRegistration } from './registration.ts';

/** A machine that has not registered for this long is away; it registers every five seconds. */
const AWAY_MS = 20_000;
/** A machine without a sandbox of ours that has not registered for this long is forgotten. */
const FORGOTTEN_MS = 60 * 60_000;
const FORGET_EVERY_MS = 60_000;
const PROBE_MS = 3_000;
const RELEASE_MS = 30_000;
const DEFAULT_WAIT_MS = 30_000;
const DEFAULT_LOST_AFTER_MS = 120_000;
/** How often the first in the line asks for a place; those behind it ask less often. */
const ASK_MS = 250;
const MAX_ASK_MS = 5_000;

export interface SandboxPoolOptions {
  /** The records that all servers and workers share. Default: those in the folder of all sandboxes. */
  readonly registry?: SandboxRegistry | undefined;
  /** The folder of all sandboxes. */
  readonly dir: string;
  /** The secret that only pool machines and servers know. */
  readonly token: string;
  /** Addresses of machines that do not register by themselves. */
  readonly addresses?: readonly Address[];
  /** Milliseconds to wait for a free place where the caller does not say. Default 30,000. */
  readonly waitMs?: number;
  /** Milliseconds after which the sandboxes of a silent machine are given up. Default 120,000. */
  readonly lostAfterMs?: number;
  readonly logger: SandboxLogger;
}

/** How much of the pool is used, and how much more is wanted: what an autoscaler needs to know. */
export interface PoolFigures {
  /** Machines that registered or answered lately. */
  readonly members: number;
  /** Machines that have not. */
  readonly away: number;
  /** Those of `members` that take no new sandboxes because they are about to end. */
  readonly draining: number;
  /** The sandboxes that the machines can hold together, but for those that are draining. */
  readonly places: number;
  /** Sandboxes that the machines hold. */
  readonly used: number;
  readonly free: number;
  /** Sandboxes that wait in line for a place. */
  readonly waiting: number;
  /** Sandboxes that were lost with their machines and are not deleted yet. */
  readonly lost: number;
}

export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  return new SandboxPool(options);
}

/** The pool machines: those that register, and those at known addresses. */
export class SandboxPool implements Machines {
  readonly startTimeoutMs = 45_000;
  readonly lostAfterMs: number;
  readonly registry: SandboxRegistry;
  /** Whether the records are those in the folder of all sandboxes. */
  readonly isInFolder: boolean;
  readonly #options: SandboxPoolOptions;
  readonly #releasing = new Set<string>();
  #forgot = performance.now();

  constructor(options: SandboxPoolOptions) {
    this.#options = options;
    this.lostAfterMs = options.lostAfterMs ?? DEFAULT_LOST_AFTER_MS;
    this.isInFolder = options.registry === undefined;
    this.registry = options.registry ?? new FolderRegistry(options.dir);
  }

  /** Accepts a machine's registration and returns the answer. Throws RegistrationRefusedError. */
  async register(signed: SignedRegistration): Promise<{ readonly body: string; readonly proof: string }> {
    const { token } = this.#options;
    const { address, ...state } = readRegistration(signed, token, Date.now());
    await this.#update(state, { host: address.host ?? signed.from, port: address.port });
    const body = JSON.stringify({ type: 'sandbox_pool_registration', member: state.member });
    return { body, proof: answerOf(signed, token, body) };
  }

  /** All known machines, also those that are away. */
  async machines(): Promise<readonly (KnownMachine & { readonly away: boolean })[]> {
    const machines = await this.registry.machines();
    return machines.map((machine) => ({ ...machine, away: machine.silentMs > AWAY_MS }));
  }

  async figures(): Promise<PoolFigures> {
    const [machines, waiting, lost, owner] = await Promise.all([
      this.machines(),
      this.registry.waiting(),
      this.registry.lost(),
      this.registry.owner(),
    ]);
    const here = machines.filter(({ away }) => !away);
    const sum = (of: (machine: KnownMachine) => number): number =>
      here.reduce((total, machine) => total + of(machine), 0);
    return {
      members: here.length,
      away: machines.length - here.length,
      draining: here.filter(({ draining }) => draining).length,
      places: sum(({ draining, capacity }) => (draining ? 0 : capacity)),
      used: sum(({ sandboxes }) => sandboxes.length),
      free: sum((machine) => freePlaces(machine, undefined, owner)),
      waiting,
      lost,
    };
  }

  /** Asks the machines at known addresses for their state. */
  async probe(): Promise<void> {
    await Promise.all(
      (this.#options.addresses ?? []).map(async (address) => {
        try {
          await this.#update(await this.#ask<MachineState>(address, 'GET', '/member', PROBE_MS), address);
        } catch (error) {
          this.#options.logger.warn({ ...address, reason: errorText(error) }, 'sandbox member is away');
        }
      }),
    );
  }

  async place({
    config: { id: sandbox },
    before,
    refused,
    waitMs = this.#options.waitMs ?? DEFAULT_WAIT_MS,
    signal,
    onWaiting,
  }: PlacementRequest): Promise<FoundPlacement | null> {
    const deadline = performance.now() + waitMs;
    let isTold = false;
    try {
      for (;;) {
        await this.probe();
        const answer = await this.registry.takePlace({
          sandbox,
          before,
          refused: refused(),
          awayMs: AWAY_MS,
        });
        if (answer.type === 'placed') return answer.placement;
        if (answer.type === 'changed') return null;
        if (!isTold) onWaiting?.();
        isTold = true;
        signal?.throwIfAborted();
        if (performance.now() > deadline) throw await this.#noPlace(sandbox, waitMs);
        const ms = Math.min(
          ASK_MS * (1 + answer.ahead),
          MAX_ASK_MS,
          Math.max(1, deadline - performance.now()),
        );
        await pause(ms, undefined, signal === undefined ? {} : { signal });
      }
    } catch (error) {
      await this.registry.leaveLine(sandbox);
      throw signal?.aborted === true ? signal.reason : error;
    }
  }

  async #noPlace(sandbox: string, waitMs: number): Promise<SandboxError> {
    const { members } = await this.figures();
    const seconds = Math.round(waitMs / 1000);
    return new SandboxError(
      'no_place',
      `no member of the sandbox pool became free within ${seconds} s (${members} there, all in use): try again later, start more, or delete a sandbox`,
      { sandbox },
    );
  }

  async silentMs(machine: string): Promise<number | null> {
    return (await this.registry.machine(machine))?.silentMs ?? null;
  }

  async transportTo(machine: string): Promise<Transport | null> {
    let found = await this.registry.machine(machine);
    if (found === null || found.silentMs > AWAY_MS) {
      await this.probe();
      found = await this.registry.machine(machine);
    }
    return found === null ? null : tlsTransport(found.address, this.#options.token);
  }

  /** A machine that cannot be reached is released when it registers again, because no placement names it then. */
  async leave(_machine: string, _id: string, release: () => Promise<boolean>): Promise<void> {
    await release();
  }

  close(): void {
    // Every connection belongs to a sandbox and is closed with it.
  }

  async #update(state: MachineState, address: Address): Promise<void> {
    const { registry } = this;
    const isNew = (await registry.machine(state.member)) === null;
    await registry.putMachine({ ...state, address });
    if (isNew || performance.now() - this.#forgot > FORGET_EVERY_MS)
      await this.#forgetMachines(state, address);
    const owner = await registry.owner();
    for (const held of state.sandboxes)
      if (held.owner === owner && !(await this.#isPlaced(state.member, held)))
        void this.#release(state.member, held, address);
  }

  /** Forgets the machines whose address another one has, and those that have gone, unless they hold sandboxes of ours. */
  async #forgetMachines({ member }: MachineState, { host, port }: Address): Promise<void> {
    this.#forgot = performance.now();
    for (const known of await this.registry.machines()) {
      if (known.member === member) continue;
      const isReplaced = known.address.host === host && known.address.port === port;
      const isGone = known.silentMs > (known.draining ? AWAY_MS : FORGOTTEN_MS);
      if ((isReplaced || isGone) && !(await this.#hasOurs(known)))
        await this.registry.removeMachine(known.member);
    }
  }

  async #hasOurs({ member, sandboxes }: KnownMachine): Promise<boolean> {
    const named = await Promise.all(sandboxes.map((held) => this.#isPlaced(member, held)));
    return named.includes(true);
  }

  /**
   * Whether a machine has this sandbox rightly. It has not when the sandbox was deleted while it was away, given up, or
   * placed on another machine.
   */
  async #isPlaced(member: string, { id, created_at }: MachineState['sandboxes'][number]): Promise<boolean> {
    let record: SandboxRecord | null;
    try {
      record = await this.registry.find(id);
    } catch (error) {
      // After damage the machine may hold the sandbox and is left alone.
      if (error instanceof DamagedFileError) return true;
      throw error;
    }
    if (record === null || record.lost !== null) return false;
    return record.placement?.machine === member && record.config.created_at === created_at;
  }

  async #release(
    machine: string,
    { id: sandbox, owner, created_at }: MachineState['sandboxes'][number],
    address: Address,
  ): Promise<void> {
    const key = `${machine}/${sandbox}`;
    if (this.#releasing.has(key)) return;
    this.#releasing.add(key);
    try {
      const body: ReleaseRequest = { owner, id: sandbox, created_at };
      await this.#ask(address, 'POST', '/member/release', RELEASE_MS, body);
      this.#options.logger.info({ sandbox, machine }, 'left-over sandbox released');
    } catch (error) {
      // The next registration tries again.
      this.#options.logger.warn({ sandbox, machine, reason: errorText(error) }, 'not released');
    } finally {
      this.#releasing.delete(key);
    }
  }

  async #ask<T>(
    address: Address,
    method: 'GET' | 'POST',
    path: string,
    timeoutMs: number,
    body?: object,
  ): Promise<T> {
    const connection = new DaemonConnection(tlsTransport(address, this.#options.token));
    try {
      return await connection.call<T>(method, path, { timeoutMs, ...(body === undefined ? {} : { body }) });
    } finally {
      connection.close();
    }
  }
}
