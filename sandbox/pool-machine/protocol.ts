import type { IsolationKind } from '@steadyhand/contracts';
import type { SandboxConfig } from '../config.ts';

/** The state of a pool machine: the answer to `GET /member` and part of a registration. */
export interface PoolMachineState {
  /** `mem_...`; a new one after each sandbox, so that no old claim matches. */
  readonly member: string;
  /** The id of the sandbox that it holds; null when it is free. */
  readonly sandbox: string | null;
  /** The owner that claimed the sandbox. */
  readonly owner: string | null;
  /** The kind of isolation on the machine. */
  readonly isolation: Exclude<IsolationKind, 'remote'>;
  /** The missing programs without which it has no desktop. */
  readonly missing: readonly string[];
}

/**
 * Names the sandbox that a request to the daemon is for. A machine that holds another one, or has not started its
 * daemon yet, closes the connection; the caller then claims the sandbox and tries again.
 */
export const SANDBOX_HEADER = 'x-steadyhand-sandbox';

/**
 * `POST /member/claim`: makes and starts the sandbox, or starts it when the machine holds it already. The answer is
 * DaemonHealth. It is refused as `conflict` when the machine holds another sandbox, and as `not_found` with `again`
 * when it holds none, so that a lost sandbox is not silently made anew.
 */
export interface ClaimRequest {
  readonly owner: string;
  readonly again: boolean;
  /** The machine decides on `isolation` and `agent_uid` itself. */
  readonly config: SandboxConfig;
}

/** `POST /member/release {owner, id}`: ends the sandbox and removes all of it; the process then ends. */
export interface ReleaseRequest {
  readonly owner: string;
  readonly id: string;
}

/** The body that a pool machine sends to `POST /v1/sandbox_pool/registrations` every few seconds. */
export interface Registration extends PoolMachineState {
  /** The address of its daemon; a host of null stands for the address that the registration came from. */
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
