import type { BatchActivities, SessionActivities } from '@steadyhand/contracts';
import { answerBatchRequest } from './answer-batch-request.ts';
import { appendResult } from './append-result.ts';
import { bounded } from './bounded.ts';
import type { ActivityDeps, BatchActivityDeps } from './deps.ts';
import { endBatch } from './end-batch.ts';
import { interruptTool } from './interrupt-tool.ts';
import { look } from './look.ts';
import { recall } from './recall.ts';
import { requestModel } from './request-model.ts';
import { runTool } from './run-tool.ts';
import { takeOver } from './take-over.ts';
import { turns } from './turns.ts';

export type { ActivityDeps, BatchActivityDeps } from './deps.ts';
export { sandboxIdOf } from './session-sandbox.ts';

/** The activities that the worker registers, by the names that the session workflow calls. */
export function createActivities(deps: ActivityDeps): SessionActivities {
  const { resumeTurn, endTurn, failTurn } = turns(deps);
  return {
    recall: bounded(recall(deps)),
    requestModel: bounded(requestModel(deps)),
    runTool: bounded(runTool(deps)),
    interruptTool: bounded(interruptTool(deps)),
    look: bounded(look(deps)),
    takeOver: bounded(takeOver(deps)),
    appendResult: bounded(appendResult(deps)),
    resumeTurn: bounded(resumeTurn),
    endTurn: bounded(endTurn),
    // Tried for as long as it takes: until the log tells of the failure, the session would say that it is running.
    failTurn,
  };
}

/** The activities of batches, by the names that their workflow calls. */
export function createBatchActivities(deps: BatchActivityDeps): BatchActivities {
  return { answerBatchRequest: answerBatchRequest(deps), endBatch: endBatch(deps) };
}
