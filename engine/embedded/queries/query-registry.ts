import type { temporal } from '@temporalio/proto';
import { newId } from '../ids.ts';
import type { RpcError } from '../rpc/errors.ts';
import type { RunRef } from '../types.ts';

export type WorkflowQuery = temporal.api.query.v1.IWorkflowQuery;

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
  /** A worker has it, along with a workflow task or on its own. */
  handedOut: boolean;
  outcome: QueryOutcome | undefined;
  readonly settle: (outcome: QueryOutcome) => void;
}

/** Queries waiting for an answer. Nothing of them is ever stored. */
export class QueryRegistry {
  readonly #pending = new Map<string, PendingQuery>();
  readonly #buffered = new Map<string, Set<PendingQuery>>();

  add(ref: RunRef, query: WorkflowQuery, settle: (outcome: QueryOutcome) => void): PendingQuery {
    const pending: PendingQuery = {
      id: newId(),
      ref,
      query,
      handedOut: false,
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

  find(id: string): PendingQuery | undefined {
    return this.#pending.get(id);
  }

  remove(query: PendingQuery): void {
    this.#pending.delete(query.id);
    const key = keyOf(query.ref);
    const buffered = this.#buffered.get(key);
    buffered?.delete(query);
    if (buffered?.size === 0) this.#buffered.delete(key);
  }

  /** Leaves the query to the run's workflow task, the one due or the one after the one at work. */
  buffer(query: PendingQuery): void {
    const key = keyOf(query.ref);
    const buffered = this.#buffered.get(key) ?? new Set();
    buffered.add(query);
    this.#buffered.set(key, buffered);
  }

  /** Buffered queries that no worker has. */
  waiting(ref: RunRef): PendingQuery[] {
    return [...(this.#buffered.get(keyOf(ref)) ?? [])].filter((query) => !query.handedOut);
  }

  /** The worker that had them is gone or did not answer: they wait again. */
  returnAll(ref: RunRef): void {
    for (const query of this.#buffered.get(keyOf(ref)) ?? []) query.handedOut = false;
  }

  /** Takes all buffered queries out, for handing them out on their own. */
  unbuffer(ref: RunRef): PendingQuery[] {
    const key = keyOf(ref);
    const buffered = [...(this.#buffered.get(key) ?? [])];
    this.#buffered.delete(key);
    for (const query of buffered) query.handedOut = false;
    return buffered;
  }
}

function keyOf(ref: RunRef): string {
  return `${ref.namespace}\n${ref.workflowId}\n${ref.runId}`;
}
