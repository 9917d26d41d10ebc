import type { MutableState } from '../mutable-state/mutable-state.ts';
import { failedPrecondition, notFound, resourceExhausted, workflowNotReady } from '../protocol/rpc-error.ts';
import { endStartDelay, scheduleWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { isFailing } from '../workflow-tasks/fail.ts';
import {
  ACCEPTED_UPDATE_LOST,
  abortedByClosing,
  type PendingUpdate,
  type UpdateProgress,
  type UpdateRegistry,
  type UpdateRequest,
} from './update-registry.ts';

/** An update that a caller may wait for: it is in flight, or its outcome is known already. */
export type UpdateHandle =
  | { readonly kind: 'pending'; readonly update: PendingUpdate }
  | { readonly kind: 'known'; readonly progress: UpdateProgress };

/** Finds the update with this id, if the run has or had it. */
export function findUpdate(
  updates: UpdateRegistry,
  state: MutableState,
  id: string,
): UpdateHandle | undefined {
  const pending = updates.find(state.ref, id);
  if (pending) return { kind: 'pending', update: pending };
  const record = state.record.updates[id];
  if (!record) return undefined;
  if (record.completedEventId !== undefined) {
    const event = state.event(record.completedEventId);
    const outcome = event.workflowExecutionUpdateCompletedEventAttributes?.outcome ?? {};
    return { kind: 'known', progress: { stage: 'completed', outcome, rejected: false } };
  }
  const isAccepted = record.acceptedEventId !== undefined;
  if (!state.isRunning) {
    return {
      kind: 'known',
      progress: isAccepted
        ? { stage: 'completed', outcome: ACCEPTED_UPDATE_LOST, rejected: false }
        : { stage: 'aborted', error: abortedByClosing() },
    };
  }
  return { kind: 'pending', update: updates.follow(state.ref, id, isAccepted ? 'accepted' : 'admitted') };
}

/** Counts the updates that are not completed, also those that nobody waits for. */
function inFlight(updates: UpdateRegistry, { record, ref }: MutableState): number {
  const accepted = Object.values(record.updates).filter(
    ({ completedEventId }) => completedEventId === undefined,
  );
  const admitted = updates.all(ref).filter(({ id }) => record.updates[id] === undefined);
  return accepted.length + admitted.length;
}

/**
 * Admits an update within a transaction. The run's next workflow task carries it; for an idle run that is a speculative
 * task, which leaves no trace if the update is rejected.
 */
export function admitUpdate(
  updates: UpdateRegistry,
  state: MutableState,
  id: string,
  request: UpdateRequest,
  maxInFlight: number,
): UpdateHandle {
  const known = findUpdate(updates, state, id);
  if (known) return known;
  if (!state.isRunning) throw notFound('workflow execution already completed');
  if (state.record.paused) throw failedPrecondition('Workflow is paused. Cannot update the workflow.');
  if (isFailing(state)) {
    throw workflowNotReady(
      'Unable to perform workflow execution update due to Workflow Task in failed state.',
    );
  }
  if (inFlight(updates, state) >= maxInFlight) {
    throw resourceExhausted(
      `limit on number of concurrent in-flight updates has been reached (${maxInFlight})`,
    );
  }
  const update = updates.admit(state.ref, id, request);
  endStartDelay(state);
  scheduleWorkflowTask(state, { speculative: true });
  return { kind: 'pending', update };
}
