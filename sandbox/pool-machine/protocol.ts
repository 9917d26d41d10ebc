import type { IsolationKind } from '@steadyhand/contracts';
import type { SandboxConfig } from '../config.ts';

/**
 * A member: a machine or container that lends itself for one sandbox at a time. What it says of itself on
 * `GET /member`, and when it registers.
 */
export interface PoolMachineState {
  /** `mem_...`; another one after each sandbox it has had, so that no old claim fits. */
  readonly member: string;
  /** The sandbox that it holds; null when it is free. */
  readonly sandbox: string | null;
  /** Whose server made that sandbox. */
  readonly owner: string | null;
  /** What keeps the agent apart there. */
  readonly isolation: IsolationKind;
  /** Programs without which it has no desktop. */
  readonly missing: readonly string[];
}

/**
 * Which sandbox a request to the daemon is for. A machine that holds another one by now, or has not started its daemon yet,
 * drops the connection: the caller claims the sandbox and asks again.
 */
export const SANDBOX_HEADER = 'x-steadyhand-sandbox';

/**
 * `POST /member/claim`: makes and starts the sandbox, or starts the one that is there, when it is this one. Answers
 * DaemonHealth. Refused as `conflict` when another is there, as `not_found` when `again` and none is there: a sandbox that was
 * lost is not made anew in silence.
 */
export interface ClaimRequest {
  readonly owner: string;
  readonly again: boolean;
  /** `isolation` and `agent_uid` are the member's to decide. */
  readonly config: SandboxConfig;
}

/** `POST /member/release {owner, id}`: ends the sandbox and removes all of it; the member then ends and starts anew. */
export interface ReleaseRequest {
  readonly owner: string;
  readonly id: string;
}

/** What a member sends to `POST /v1/sandbox_pool/registrations`, every few seconds. */
export interface Registration extends PoolMachineState {
  /** Where its daemon listens; without a host: where the registration came from. */
  readonly address: { readonly host: string | null; readonly port: number };
}

/** Headers of a registration: its time (milliseconds since the epoch), a nonce, and the proof over both and the body. */
export const REGISTRATION_HEADERS = {
  time: 'x-steadyhand-time',
  nonce: 'x-steadyhand-nonce',
  proof: 'x-steadyhand-proof',
} as const;

export const REGISTRATION_PATH = '/v1/sandbox_pool/registrations';
/** How far a registration's time may be from the server's. */
export const MAX_SKEW_MS = 5 * 60_000;
