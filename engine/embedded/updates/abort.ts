import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { notFound, unavailable } from '../rpc/errors.ts';
import type { UpdateProgress } from './update-registry.ts';

/** What callers of an accepted update get when the run closes before the update completes. */
export const ACCEPTED_UPDATE_LOST = {
  failure: {
    message: 'Workflow Update failed because the Workflow completed before the Update completed.',
    source: 'Server',
    applicationFailureInfo: { type: 'AcceptedUpdateCompletedWorkflow', nonRetryable: true },
  },
};

/** The run closes: answers everybody who waits for one of its updates. `continued`: another run takes over. */
export function abortUpdates(kernel: Kernel, state: MutableState, continued: boolean): void {
  const { ref } = state;
  kernel.group.afterCommit(() => {
    for (const update of kernel.updates.all(ref)) {
      const progress: UpdateProgress =
        update.progress.stage === 'accepted'
          ? { stage: 'completed', outcome: ACCEPTED_UPDATE_LOST, rejected: false }
          : {
              stage: 'aborted',
              error: continued
                ? unavailable('workflow operation can not be applied because workflow is closing')
                : notFound('workflow update was aborted by closing workflow'),
            };
      kernel.updates.advance(ref, update.id, progress);
    }
  });
}
