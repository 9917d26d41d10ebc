import type { BatchActivities, SessionActivities } from '@steadyhand/contracts';
import { answerBatchRequest } from './answer-batch-request.ts';
import { appendResult } from './append-result.ts';
import type { ActivityDeps, BatchActivityDeps } from './deps.ts';
import { endBatch } from './end-batch.ts';
import { withFailures } from './failures.ts';
import { interruptTool, runTool } from './run-tool.ts';
import { look } from './look.ts';
import { recall } from './recall.ts';
import { requestModel } from './request-model.ts';
import { withRetryLimit } from './retry-limit.ts';
import { takeOver } from './take-over.ts';
import { turns } from './turns.ts';

export type { ActivityDeps, BatchActivityDeps } from './deps.ts';
export { sandboxIdOf, sandboxIdsUpTo } from './session-computer.ts';

/**
 * The activities of sessions, by the names that their workflow calls.
 *
 * @example
 * const activities = createActivities({ store, providers, sandboxes });
 * await Worker.create({ connection, taskQueue, workflowBundle, activities });
 */
export function createActivities(deps: ActivityDeps): SessionActivities {
  const { resumeTurn, endTurn, failTurn } = turns(deps);
  return {
    recall: withRetryLimit(recall(deps)),
    requestModel: withRetryLimit(requestModel(deps)),
    runTool: withRetryLimit(runTool(deps)),
    interruptTool: withRetryLimit(interruptTool(deps)),
    look: withRetryLimit(look(deps)),
    takeOver: withRetryLimit(takeOver(deps)),
    appendResult: withRetryLimit(appendResult(deps)),
    resumeTurn: withRetryLimit(resumeTurn),
    endTurn: withRetryLimit(endTurn),
    // This one is tried without end: until the log tells of the failure, the session would say that it is running.
    failTurn: withFailures(failTurn),
  };
}

/** The activities of batches, by the names that their workflow calls. */
export function createBatchActivities(deps: BatchActivityDeps): BatchActivities {
  return {
    answerBatchRequest: withFailures(answerBatchRequest(deps)),
    // This one is tried without end: a batch whose requests are answered must not stay open.
    endBatch: endBatch(deps),
  };
}
