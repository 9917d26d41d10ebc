import { continueAsNew, defineSignal, setHandler } from '@temporalio/workflow';
import { BatchRun } from './batch-run.ts';
import type { BatchStart } from './batch-start.ts';

/** Lets no further request begin; those under way are finished. */
const cancelBatch = defineSignal('cancel');

/**
 * Works through a batch of message requests, under the id `batch/<batch id>`. Every request is an activity of its own, keyed
 * by its position; history holds a few numbers for each, and a long batch continues in new runs.
 *
 * This is no state machine, because a batch decides only which request comes next: a pool of lanes with a counter is plainer
 * than a state machine that spawns actors.
 */
export async function batch(start: BatchStart): Promise<void> {
  const run = new BatchRun(start);
  setHandler(cancelBatch, () => run.close('canceled'));
  const progress = await run.work();
  if (progress !== undefined) await continueAsNew<typeof batch>({ ...start, progress });
}
