import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';

const UNPROCESSED = {
  failure: {
    message:
      "Workflow Update is rejected because it wasn't processed by worker. Probably, Workflow Update is not supported by the worker.",
    source: 'Server',
    applicationFailureInfo: { type: 'UnprocessedUpdate', nonRetryable: true },
  },
};

/** A worker answered the task that carried these updates, but said nothing about them. */
export function rejectUnprocessed(kernel: Kernel, state: MutableState): void {
  const { ref } = state;
  const sent = kernel.updates
    .all(ref)
    .filter(
      (update) => update.sent && update.progress.stage === 'admitted' && !state.record.updates[update.id],
    );
  if (sent.length === 0) return;
  kernel.group.afterCommit(() => {
    for (const update of sent) {
      if (update.progress.stage !== 'admitted') continue;
      kernel.updates.advance(ref, update.id, { stage: 'completed', outcome: UNPROCESSED, rejected: true });
    }
  });
}
