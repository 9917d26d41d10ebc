import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import type { SandboxConfig } from '../../config.ts';
import { errorText } from '../../error-fields.ts';
import type { PoolMachineState, ReleaseRequest } from '../../pool-machine/protocol.ts';
import { DaemonConnection } from '../connection/daemon-connection.ts';
import type { SandboxLogger } from './host.ts';
import type { Machines } from './machines.ts';
import { ownerOf } from '../../folders/owner.ts';
import { readPlacement } from '../../folders/placement.ts';
import { unlessDamaged } from '../../record-file.ts';
import { type Address, tlsTransport } from '../connection/tls-transport.ts';
import type { Transport } from '../connection/transport.ts';
import { PoolMachineFolder, type KnownMachine } from './pool-machine-folder.ts';
import { type SignedRegistration, answerOf, readRegistration } from './registration.ts';

/** A machine that has not registered for this long is away; it registers every five seconds. */
const AWAY_MS = 20_000;
/** A machine without a sandbox of ours that has not registered for this long is forgotten. */
const FORGOTTEN_MS = 60 * 60_000;
const PROBE_MS = 3_000;
const RELEASE_MS = 30_000;
const DEFAULT_WAIT_MS = 30_000;

export interface SandboxPoolOptions {
  /** The folder of all sandboxes. */
  readonly dir: string;
  /** The secret that only pool machines and servers know. */
  readonly token: string;
  /** Addresses of machines that do not register by themselves. */
  readonly addresses?: readonly Address[];
  /** Milliseconds to wait for a free machine. Default 30,000. */
  readonly waitMs?: number;
  readonly logger: SandboxLogger;
}

interface PoolCounts {
  /** The number of machines that registered or answered lately. */
  readonly members: number;
  readonly free: number;
}

export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  return new SandboxPool(options);
}

/** The pool machines, which hold one sandbox each: those that register, and those at known addresses. */
export class SandboxPool implements Machines {
  readonly startTimeoutMs = 45_000;
  readonly #options: SandboxPoolOptions;
  readonly #folder: PoolMachineFolder;
  /** When machines were chosen that have not yet reported a sandbox. */
  readonly #chosen = new Map<string, number>();
  readonly #releasing = new Set<string>();
  #waiting = 0;

  constructor(options: SandboxPoolOptions) {
    this.#options = options;
    this.#folder = new PoolMachineFolder(join(options.dir, '.pool'));
  }

  /** Accepts a machine's registration and returns the answer. Throws RegistrationRefusedError. */
  register(signed: SignedRegistration): { readonly body: string; readonly proof: string } {
    const { token } = this.#options;
    const now = Date.now();
    const { address, ...state } = readRegistration(signed, token, now);
    this.#update(state, { host: address.host ?? signed.from, port: address.port });
    for (const { member, sandbox, seen } of this.#folder.all())
      if (now - seen > FORGOTTEN_MS && !this.#isNamed(member, sandbox)) this.#folder.remove(member);
    const body = JSON.stringify({ type: 'sandbox_pool_registration', member: state.member });
    return { body, proof: answerOf(signed, token, body) };
  }

  /** All known machines, also those that are away. */
  machines(): readonly (KnownMachine & { readonly away: boolean })[] {
    const now = Date.now();
    return this.#folder.all().map((member) => ({ ...member, away: now - member.seen > AWAY_MS }));
  }

  counts(): PoolCounts {
    const here = this.machines().filter(({ away }) => !away);
    return { members: here.length, free: here.filter(({ sandbox }) => sandbox === null).length };
  }

  /** Asks the machines at known addresses for their state. */
  async probe(): Promise<void> {
    await Promise.all(
      (this.#options.addresses ?? []).map(async (address) => {
        try {
          this.#update(await this.#ask<PoolMachineState>(address, 'GET', '/member', PROBE_MS), address);
        } catch (error) {
          this.#options.logger.warn({ ...address, reason: errorText(error) }, 'sandbox member is away');
        }
      }),
    );
  }

  /** How many sandboxes wait for a free machine now. */
  get waiting(): number {
    return this.#waiting;
  }

  async choose(_config: SandboxConfig, refused: ReadonlySet<string>): Promise<string> {
    this.#waiting += 1;
    try {
      return await this.#freeMachine(refused);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #freeMachine(refused: ReadonlySet<string>): Promise<string> {
    const { waitMs = DEFAULT_WAIT_MS } = this.#options;
    const deadline = performance.now() + waitMs;
    for (;;) {
      await this.probe();
      const free = this.machines().filter(
        ({ member, sandbox, away }) => sandbox === null && !away && !refused.has(member),
      );
      const chosen = free.find(({ member }) => !this.#isChosen(member));
      if (chosen !== undefined) {
        this.#chosen.set(chosen.member, Date.now());
        return chosen.member;
      }
      if (performance.now() > deadline) {
        const { members } = this.counts();
        throw new SandboxError(
          'unavailable',
          `no member of the sandbox pool is free (${members} there, all in use): start more, or delete a sandbox`,
        );
      }
      await pause(250);
    }
  }

  async transportTo(machine: string): Promise<Transport | null> {
    let found = this.#folder.find(machine);
    if (found === null || this.machines().some(({ member, away }) => member === machine && away)) {
      await this.probe();
      found = this.#folder.find(machine);
    }
    return found === null ? null : tlsTransport(found.address, this.#options.token);
  }

  /** A machine that cannot be reached is released when it registers again, because no placement names it then. */
  async leave(machine: string, _id: string, release: () => Promise<boolean>): Promise<void> {
    if (await release()) this.#folder.remove(machine);
    this.#chosen.delete(machine);
  }

  close(): void {
    // Every connection belongs to a sandbox and is closed with it.
  }

  #update(state: PoolMachineState, address: Address): void {
    for (const { member, sandbox, address: known } of this.#folder.all()) {
      const same = known.host === address.host && known.port === address.port;
      // The machine was wiped since, or another one has its address.
      if (same && sandbox === null && member !== state.member) this.#folder.remove(member);
    }
    this.#folder.put({ ...state, address, seen: Date.now() });
    if (state.sandbox !== null) this.#chosen.delete(state.member);
    if (this.#isLeftOver(state)) void this.#release(state, address);
  }

  /** Whether it holds a sandbox of ours that was deleted while it was away, or that was placed on another machine. */
  #isLeftOver({ member, sandbox, owner }: PoolMachineState): boolean {
    const { dir } = this.#options;
    if (sandbox === null || owner !== ownerOf(dir)) return false;
    return !this.#isNamed(member, sandbox);
  }

  /** Whether the placement of a sandbox of ours names this machine. */
  #isNamed(member: string, sandbox: string | null): boolean {
    if (sandbox === null) return false;
    return unlessDamaged(
      () => readPlacement(join(this.#options.dir, sandbox))?.machine === member,
      // After damage the machine may hold the sandbox and is left alone.
      () => true,
    );
  }

  async #release({ member, sandbox, owner }: PoolMachineState, address: Address): Promise<void> {
    if (sandbox === null || owner === null || this.#releasing.has(member)) return;
    this.#releasing.add(member);
    try {
      const body: ReleaseRequest = { owner, id: sandbox };
      await this.#ask(address, 'POST', '/member/release', RELEASE_MS, body);
      this.#folder.remove(member);
      this.#options.logger.info({ sandbox, machine: member }, 'left-over sandbox released');
    } catch (error) {
      // The next registration tries again.
      this.#options.logger.warn({ sandbox, machine: member, reason: errorText(error) }, 'not released');
    } finally {
      this.#releasing.delete(member);
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

  /** Whether the machine was chosen a moment ago and has not yet reported a sandbox. */
  #isChosen(member: string): boolean {
    const at = this.#chosen.get(member);
    return at !== undefined && Date.now() - at < AWAY_MS;
  }
}
