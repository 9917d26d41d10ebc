import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type WorkflowBundle } from '@temporalio/worker';

export interface NamedHistory {
  readonly workflowId: string;
  /** As a service answers it, or the JSON of one. */
  readonly history: History | object;
}

/**
 * Replays histories one after the other, with one worker for all of them, as making one costs more than most replays. Answers how
 * many there were.
 *
 * @throws An error that names the first one that does not replay.
 */
export async function replayHistories(
  workflowBundle: WorkflowBundle,
  histories: Iterable<NamedHistory> | AsyncIterable<NamedHistory>,
): Promise<number> {
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    if (error) throw new Error(`${workflowId} does not replay`, { cause: error });
    replayed++;
  }
  return replayed;
}
