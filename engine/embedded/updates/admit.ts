import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { notFound, resourceExhausted } from '../rpc/errors.ts';
import { scheduleWorkflowTask } from '../workflow-task/schedule.ts';
import { ACCEPTED_UPDATE_LOST } from './abort.ts';
import type { PendingUpdate, UpdateProgress, UpdateRequest } from './update-registry.ts';

/** An update as its caller may wait for it: one in flight, or what became of it long ago. */
export type UpdateHandle =
  | { readonly kind: 'pending'; readonly update: PendingUpdate }
  | { readonly kind: 'known'; readonly progress: UpdateProgress };

/** The update with this id, if the run has or had it. */
export function findUpdate(kernel: Kernel, state: MutableState, id: string): UpdateHandle | undefined {
  const pending = kernel.updates.find(state.ref, id);
  if (pending) return { kind: 'pending', update: pending };
  const record = state.record.updates[id];
  if (!record) return undefined;
  if (record.completedEventId !== undefined) {
    const event = kernel.history.event(state.key, record.completedEventId);
    const outcome = event.workflowExecutionUpdateCompletedEventAttributes?.outcome ?? {};
    return { kind: 'known', progress: { stage: 'completed', outcome, rejected: false } };
  }
  if (!state.isRunning) {
    return {
      kind: 'known',
      progress: { stage: 'completed', outcome: ACCEPTED_UPDATE_LOST, rejected: false },
    };
  }
  return { kind: 'pending', update: kernel.updates.follow(state.ref, id) };
}

/**
 * Takes in an update, within a transaction. It travels with the run's workflow task: the one due, the one after the one
 * at work, or, on an idle run, a speculative one that leaves no trace if the update is rejected.
 */
export function admitUpdate(
  kernel: Kernel,
  state: MutableState,
  id: string,
  request: UpdateRequest,
): UpdateHandle {
  const known = findUpdate(kernel, state, id);
  if (known) return known;
  if (!state.isRunning) throw notFound('workflow execution already completed');
  const inFlight = kernel.updates.all(state.ref).length;
  const { inFlightUpdates } = kernel.limits;
  if (inFlight >= inFlightUpdates) {
    throw resourceExhausted(
      `limit on number of concurrent in-flight updates has been reached (${inFlightUpdates})`,
    );
  }
  const update = kernel.updates.admit(state.ref, id, request);
  scheduleWorkflowTask(kernel, state, { speculative: true });
  return { kind: 'pending', update };
}
