import type { temporal } from '@temporalio/proto';
import { newId } from '../primitives/ids.ts';
import type { RpcError } from '../protocol/rpc-error.ts';
import { type RunRef, runRefKey } from '../primitives/run-ref.ts';
import { ReplayQueue } from './replay-queue.ts';

type WorkflowQuery = temporal.api.query.v1.IWorkflowQuery;

export type QueryOutcome =
  | { readonly kind: 'answered'; readonly result: temporal.api.common.v1.IPayloads | null }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly failure: temporal.api.failure.v1.IFailure | null;
    }
  | { readonly kind: 'error'; readonly error: RpcError };

export interface PendingQuery {
  readonly id: string;
  readonly ref: RunRef;
  readonly query: WorkflowQuery;
  /** Whether a worker has it, along with a workflow task or by itself. */
  sent: boolean;
  /** How often it was sent by itself. */
  dispatches: number;
  outcome: QueryOutcome | undefined;
  readonly settle: (outcome: QueryOutcome) => void;
}

/** The queries that wait for an answer. They are never stored. */
export class QueryRegistry {
  readonly replays = new ReplayQueue();
  readonly #pending = new Map<string, PendingQuery>();
  readonly #buffered = new Map<string, Set<PendingQuery>>();

  add(ref: RunRef, query: WorkflowQuery, settle: (outcome: QueryOutcome) => void): PendingQuery {
    const pending: PendingQuery = {
      id: newId(),
      ref,
      query,
      sent: false,
      dispatches: 0,
      outcome: undefined,
      settle: (outcome) => {
        if (pending.outcome) return;
        pending.outcome = outcome;
        this.remove(pending);
        settle(outcome);
      },
    };
    this.#pending.set(pending.id, pending);
    return pending;
  }

  /** Ends the waiting for all queries, as a restart does. */
  failAll(error: RpcError): void {
    for (const query of Array.from(this.#pending.values())) query.settle({ kind: 'error', error });
  }

  find(id: string): PendingQuery | undefined {
    return this.#pending.get(id);
  }

  remove(query: PendingQuery): void {
    this.#pending.delete(query.id);
    const key = runRefKey(query.ref);
    const buffered = this.#buffered.get(key);
    buffered?.delete(query);
    if (buffered?.size === 0) this.#buffered.delete(key);
    this.replays.leave(query);
  }

  /** Leaves the query to the run's next workflow task. */
  buffer(query: PendingQuery): void {
    const key = runRefKey(query.ref);
    const buffered = this.#buffered.get(key) ?? new Set();
    buffered.add(query);
    this.#buffered.set(key, buffered);
  }

  /** Answers the buffered queries that no worker has. */
  waiting(ref: RunRef): PendingQuery[] {
    return [...(this.#buffered.get(runRefKey(ref)) ?? [])].filter((query) => !query.sent);
  }

  /** Makes the buffered queries wait again, because the worker that had them is gone or did not answer. */
  markUnsent(ref: RunRef): void {
    for (const query of this.#buffered.get(runRefKey(ref)) ?? []) query.sent = false;
  }

  /** Takes all buffered queries out, so that each can go to a worker by itself. */
  unbuffer(ref: RunRef): PendingQuery[] {
    const key = runRefKey(ref);
    const buffered = [...(this.#buffered.get(key) ?? [])];
    this.#buffered.delete(key);
    for (const query of buffered) query.sent = false;
    return buffered;
  }
}
