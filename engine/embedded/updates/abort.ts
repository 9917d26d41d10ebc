import type { RunRef } from '../primitives/run-ref.ts';
import { notFound, unavailable } from '../protocol/rpc-error.ts';
import type { UpdateProgress, UpdateRegistry } from './update-registry.ts';

/** What callers of an accepted update get when the run closes before the update completes. */
export const ACCEPTED_UPDATE_LOST = {
  failure: {
    message: 'Workflow Update failed because the Workflow completed before the Update completed.',
    source: 'Server',
    applicationFailureInfo: { type: 'AcceptedUpdateCompletedWorkflow', nonRetryable: true },
  },
};

/** Answers everybody who waits for an update of a run that closed. `continued` says that another run takes over. */
export function abortUpdates(updates: UpdateRegistry, ref: RunRef, continued: boolean): void {
  for (const update of updates.all(ref)) {
    const progress: UpdateProgress =
      update.progress.stage === 'accepted'
        ? { stage: 'completed', outcome: ACCEPTED_UPDATE_LOST, rejected: false }
        : {
            stage: 'aborted',
            error: continued
              ? unavailable('workflow operation can not be applied because workflow is closing')
              : notFound('workflow update was aborted by closing workflow'),
          };
    updates.advance(ref, update.id, progress);
  }
}
