import { continueAsNew, defineSignal, setHandler } from '@temporalio/workflow';
import { BatchRun } from './batch-run.ts';
import type { BatchStart } from './batch-start.ts';

/** No further request begins; those under way are finished. */
export const cancelBatch = defineSignal('cancel');

/**
 * Works through a batch of message requests, under the id `batch/<batch id>`. Every request is an activity of its own, keyed
 * by its place; history holds a few numbers for each, and a long batch goes on in new runs.
 *
 * A plain workflow, not a statechart: what a batch decides is only which request comes next, and a pool of lanes with a
 * counter says that more plainly than a machine that spawns actors.
 */
export async function batch(start: BatchStart): Promise<void> {
  const run = new BatchRun(start);
  setHandler(cancelBatch, () => run.close('canceled'));
  const progress = await run.work();
  if (progress !== undefined) await continueAsNew<typeof batch>({ ...start, progress });
}
