import type { temporal } from '@temporalio/proto';
import type { RpcError } from '../rpc/errors.ts';
import type { RunRef } from '../types.ts';

export type UpdateRequest = temporal.api.update.v1.IRequest;
export type UpdateOutcome = temporal.api.update.v1.IOutcome;

/** How far an update has come, as its callers may know it: only committed steps. */
export type UpdateProgress =
  | { readonly stage: 'admitted' }
  | { readonly stage: 'accepted' }
  | { readonly stage: 'completed'; readonly outcome: UpdateOutcome; readonly rejected: boolean }
  | { readonly stage: 'aborted'; readonly error: RpcError };

/** An update somebody waits for, or that the workflow has not accepted yet. */
export interface PendingUpdate {
  readonly id: string;
  /** Undefined when only its callers are remembered: the run accepted it before a restart. */
  readonly request: UpdateRequest | undefined;
  progress: UpdateProgress;
  /** A worker has the message. */
  sent: boolean;
  readonly listeners: Set<() => void>;
}

/**
 * Updates in flight, by run. Memory only, as on the server: an update is durable from its acceptance on, which is an
 * event; before that a restart forgets it, its caller gets UNAVAILABLE and sends it again.
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

  /** An accepted update whose callers want to hear of its completion. */
  follow(ref: RunRef, id: string): PendingUpdate {
    return (
      this.find(ref, id) ??
      this.#add(ref, {
        id,
        request: undefined,
        progress: { stage: 'accepted' },
        sent: true,
        listeners: new Set(),
      })
    );
  }

  find(ref: RunRef, id: string): PendingUpdate | undefined {
    return this.#runs.get(keyOf(ref))?.get(id);
  }

  all(ref: RunRef): PendingUpdate[] {
    return [...(this.#runs.get(keyOf(ref))?.values() ?? [])];
  }

  /** Updates that a worker has still to be told of, oldest first. */
  unsent(ref: RunRef): PendingUpdate[] {
    return this.all(ref).filter((update) => update.progress.stage === 'admitted' && !update.sent);
  }

  /** Records a committed step and tells those who wait; a final one ends the update here. */
  advance(ref: RunRef, id: string, progress: UpdateProgress): void {
    const update = this.find(ref, id);
    if (!update) return;
    update.progress = progress;
    if (progress.stage === 'completed' || progress.stage === 'aborted') this.#remove(ref, id);
    for (const listener of Array.from(update.listeners)) listener();
  }

  /** The worker that had the messages is gone: the next workflow task carries them again. */
  unsend(ref: RunRef): void {
    for (const update of this.all(ref)) if (update.progress.stage === 'admitted') update.sent = false;
  }

  /** Drops a followed update that nobody waits for any more. */
  release(ref: RunRef, update: PendingUpdate): void {
    if (update.listeners.size === 0 && update.progress.stage === 'accepted') this.#remove(ref, update.id);
  }

  #add(ref: RunRef, update: PendingUpdate): PendingUpdate {
    const key = keyOf(ref);
    const updates = this.#runs.get(key) ?? new Map<string, PendingUpdate>();
    updates.set(update.id, update);
    this.#runs.set(key, updates);
    return update;
  }

  #remove(ref: RunRef, id: string): void {
    const key = keyOf(ref);
    const updates = this.#runs.get(key);
    updates?.delete(id);
    if (updates?.size === 0) this.#runs.delete(key);
  }
}

function keyOf(ref: RunRef): string {
  return `${ref.namespace}\n${ref.workflowId}\n${ref.runId}`;
}
