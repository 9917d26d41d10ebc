import type { temporal } from '@temporalio/proto';
import { type RpcError, notFound, unavailable } from '../protocol/rpc-error.ts';
import { type RunRef, runRefKey } from '../primitives/run-ref.ts';

export type UpdateRequest = temporal.api.update.v1.IRequest;
type UpdateOutcome = temporal.api.update.v1.IOutcome;

/** How far an update has come. Callers learn of committed steps only. */
export type UpdateProgress =
  | { readonly stage: 'admitted' }
  | { readonly stage: 'accepted' }
  | { readonly stage: 'completed'; readonly outcome: UpdateOutcome; readonly rejected: boolean }
  | { readonly stage: 'aborted'; readonly error: RpcError };

/** An update that a caller waits for, or that the workflow has not accepted yet. */
export interface PendingUpdate {
  readonly id: string;
  /** Undefined when history has the request, so that no message carries it: only the callers are known here. */
  readonly request: UpdateRequest | undefined;
  progress: UpdateProgress;
  /** Whether a worker has the message. */
  sent: boolean;
  readonly listeners: Set<() => void>;
}

/**
 * The updates in flight, by run. They are in memory only, as on the server: an update is durable from its acceptance
 * on, which is an event. Before that a restart forgets it, and its caller gets UNAVAILABLE and sends it again.
 */
export class UpdateRegistry {
  readonly #runs = new Map<string, Map<string, PendingUpdate>>();

  admit(ref: RunRef, id: string, request: UpdateRequest): PendingUpdate {
    return this.#add(ref, {
      id,
      request,
      progress: { stage: 'admitted' },
      sent: false,
      listeners: new Set(),
    });
  }

  /** Keeps an update that history has, and whose callers wait for its next stage. */
  follow(ref: RunRef, id: string, stage: 'admitted' | 'accepted'): PendingUpdate {
    return (
      this.find(ref, id) ??
      this.#add(ref, {
        id,
        request: undefined,
        progress: { stage },
        sent: true,
        listeners: new Set(),
      })
    );
  }

  find(ref: RunRef, id: string): PendingUpdate | undefined {
    return this.#runs.get(runRefKey(ref))?.get(id);
  }

  all(ref: RunRef): PendingUpdate[] {
    return [...(this.#runs.get(runRefKey(ref))?.values() ?? [])];
  }

  /** Answers the updates that no worker has been sent yet, oldest first. */
  unsent(ref: RunRef): PendingUpdate[] {
    return this.all(ref).filter(
      ({ progress, request, sent }) => progress.stage === 'admitted' && request !== undefined && !sent,
    );
  }

  /** Records a committed step and informs the callers. The last step removes the update. */
  advance(ref: RunRef, id: string, progress: UpdateProgress): void {
    const update = this.find(ref, id);
    if (!update) return;
    update.progress = progress;
    if (progress.stage === 'completed' || progress.stage === 'aborted') this.#remove(ref, id);
    for (const listener of Array.from(update.listeners)) listener();
  }

  /** Makes the next workflow task carry the messages again, because the worker that had them is gone. */
  markUnsent(ref: RunRef): void {
    for (const update of this.all(ref)) if (update.progress.stage === 'admitted') update.sent = false;
  }

  /** Removes an update that history has and nobody waits for any more. */
  release(ref: RunRef, update: PendingUpdate): void {
    const isInHistory = update.progress.stage === 'accepted' || update.request === undefined;
    if (update.listeners.size === 0 && isInHistory) this.#remove(ref, update.id);
  }

  /** Ends the waiting for all updates, as a restart does. Those that history has can be asked for again. */
  abortAll(error: RpcError): void {
    const all = [...this.#runs.values()].flatMap((updates) => [...updates.values()]);
    this.#runs.clear();
    for (const update of all) {
      update.progress = { stage: 'aborted', error };
      for (const listener of Array.from(update.listeners)) listener();
    }
  }

  #add(ref: RunRef, update: PendingUpdate): PendingUpdate {
    const key = runRefKey(ref);
    const updates = this.#runs.get(key) ?? new Map<string, PendingUpdate>();
    updates.set(update.id, update);
    this.#runs.set(key, updates);
    return update;
  }

  #remove(ref: RunRef, id: string): void {
    const key = runRefKey(ref);
    const updates = this.#runs.get(key);
    updates?.delete(id);
    if (updates?.size === 0) this.#runs.delete(key);
  }
}

/** What callers of an accepted update get when the run closes before the update completes. */
export const ACCEPTED_UPDATE_LOST = {
  failure: {
    message: 'Workflow Update failed because the Workflow completed before the Update completed.',
    source: 'Server',
    applicationFailureInfo: { type: 'AcceptedUpdateCompletedWorkflow', nonRetryable: true },
  },
};

const closing = (): RpcError =>
  unavailable('workflow operation can not be applied because workflow is closing');

/** Makes the error of an update whose run closed before it accepted the update. */
export const abortedByClosing = (): RpcError => notFound('workflow update was aborted by closing workflow');

/** Answers everybody who waits for an update of a run that closed. `continued` says that another run takes over. */
export function abortUpdates(updates: UpdateRegistry, ref: RunRef, continued: boolean): void {
  for (const update of updates.all(ref)) {
    const progress: UpdateProgress =
      update.progress.stage === 'accepted'
        ? { stage: 'completed', outcome: ACCEPTED_UPDATE_LOST, rejected: false }
        : { stage: 'aborted', error: continued ? closing() : abortedByClosing() };
    updates.advance(ref, update.id, progress);
  }
}
