import type { BatchActivities, SessionActivities, SessionRef } from '@steadyhand/contracts';
import { answerBatchRequest } from './answer-batch-request.ts';
import { appendResult } from './append-result.ts';
import type { ActivityDeps, BatchActivityDeps } from './deps.ts';
import { endBatch } from './end-batch.ts';
import { withFailures } from './failures.ts';
import { interruptTool, runTool } from './run-tool.ts';
import { look } from './look.ts';
import { type Activity, orElsewhere } from './missing-session.ts';
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
  const step = <Input extends SessionRef, Outcome>(activity: Activity<Input, Outcome>) =>
    withRetryLimit(orElsewhere(deps.store, activity));
  return {
    recall: step(recall(deps)),
    requestModel: step(requestModel(deps)),
    runTool: step(runTool(deps)),
    interruptTool: step(interruptTool(deps)),
    look: step(look(deps)),
    takeOver: step(takeOver(deps)),
    appendResult: step(appendResult(deps)),
    resumeTurn: step(resumeTurn),
    endTurn: step(endTurn),
    // This one is tried without end: until the log tells of the failure, the session would say that it is running.
    failTurn: withFailures(orElsewhere(deps.store, failTurn)),
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
