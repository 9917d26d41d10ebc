import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { UpdateRegistry } from './update-registry.ts';

const UNPROCESSED = {
  failure: {
    message:
      "Workflow Update is rejected because it wasn't processed by worker. Probably, Workflow Update is not supported by the worker.",
    source: 'Server',
    applicationFailureInfo: { type: 'UnprocessedUpdate', nonRetryable: true },
  },
};

/** Rejects the updates that a worker was sent with its task but did not mention in its answer. */
export function rejectUnprocessed(updates: UpdateRegistry, state: MutableState): void {
  const { ref } = state;
  const sent = updates
    .all(ref)
    .filter(
      (update) => update.sent && update.progress.stage === 'admitted' && !state.record.updates[update.id],
    );
  if (sent.length === 0) return;
  state.afterCommit(() => {
    for (const update of sent) {
      if (update.progress.stage !== 'admitted') continue;
      updates.advance(ref, update.id, { stage: 'completed', outcome: UNPROCESSED, rejected: true });
    }
  });
}
