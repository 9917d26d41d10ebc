import type { IsolationKind } from '@steadyhand/contracts';
import type { SandboxConfig } from '../config.ts';

/** A sandbox that a pool machine holds. */
export interface HeldSandbox {
  readonly id: string;
  /** The owner that claimed it. */
  readonly owner: string;
  /** When its owner made it, as RFC 3339: another sandbox of the same id has another time. */
  readonly created_at: string;
}

/** The state of a pool machine: the answer to `GET /member` and part of a registration. */
export interface MachineState {
  /** `mem_...`; it lies in the machine's folder, so that a machine that has lost its folder is another one. */
  readonly member: string;
  /** How many sandboxes it can hold. */
  readonly capacity: number;
  readonly sandboxes: readonly HeldSandbox[];
  /** Whether it takes no new sandboxes, because it is about to end. */
  readonly draining: boolean;
  /** The kind of isolation on the machine. */
  readonly isolation: Exclude<IsolationKind, 'remote'>;
  /** The missing programs without which it has no desktop. */
  readonly missing: readonly string[];
}

const NAME = /^mem_[0-9a-f]{24}$/;

export function isMachineId(id: string): boolean {
  return NAME.test(id);
}

/**
 * Names the sandbox that a request to a daemon is for. A machine that does not hold it, or has not started its daemon
 * yet, closes the connection; the caller then claims the sandbox and tries again.
 */
export const SANDBOX_HEADER = 'x-steadyhand-sandbox';

/**
 * `POST /member/claim`: makes and starts the sandbox, or starts it when the machine holds it already. The answer is
 * DaemonHealth. It is refused as `conflict` when the machine is full or draining, and as `not_found` with `again` when
 * it does not hold the sandbox, so that a lost sandbox is not silently made anew.
 */
export interface ClaimRequest {
  readonly owner: string;
  /** The machine that is meant: another one may have its address by now. */
  readonly member?: string;
  readonly again: boolean;
  /** The machine decides on `isolation` and `agent_uid` itself. */
  readonly config: SandboxConfig;
}

/** `POST /member/release {owner, id}`: ends the sandbox and removes all of it. */
export interface ReleaseRequest {
  readonly owner: string;
  readonly id: string;
  /** When the sandbox that is meant was made; one of another time stays. */
  readonly created_at?: string;
}

/** The body that a pool machine sends to `POST /v1/sandbox_pool/registrations` every few seconds. */
export interface Registration extends MachineState {
  /** The address of its daemons; a host of null stands for the address that the registration came from. */
  readonly address: { readonly host: string | null; readonly port: number };
}

/**
 * Headers of a registration: its time (milliseconds since the epoch), a nonce, and the proof over these and the body.
 */
export const REGISTRATION_HEADERS = {
  time: 'x-steadyhand-time',
  nonce: 'x-steadyhand-nonce',
  proof: 'x-steadyhand-proof',
} as const;

export const REGISTRATION_PATH = '/v1/sandbox_pool/registrations';
/** How much a registration's time may differ from the server's. */
export const MAX_SKEW_MS = 5 * 60_000;
