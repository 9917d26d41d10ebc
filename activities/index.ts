import { answerBatchRequest } from './answer-batch-request.ts';
import { appendResult } from './append-result.ts';
import type { BatchActivities } from './batch-contract.ts';
import type { SessionActivities } from './contract.ts';
import type { ActivityDeps, BatchActivityDeps } from './deps.ts';
import { endBatch } from './end-batch.ts';
import { interruptTool } from './interrupt-tool.ts';
import { look } from './look.ts';
import { requestModel } from './request-model.ts';
import { runTool } from './run-tool.ts';
import { takeOver } from './take-over.ts';
import { turns } from './turns.ts';

export type { ActivityDeps, BatchActivityDeps } from './deps.ts';
export { sandboxIdOf } from './session-sandbox.ts';

/** The activities that the worker registers, by the names that the session workflow calls. */
export function createActivities(deps: ActivityDeps): SessionActivities {
  return {
    requestModel: requestModel(deps),
    runTool: runTool(deps),
    interruptTool: interruptTool(deps),
    look: look(deps),
    takeOver: takeOver(deps),
    appendResult: appendResult(deps),
    ...turns(deps),
  };
}

/** The activities of batches, by the names that their workflow calls. */
export function createBatchActivities(deps: BatchActivityDeps): BatchActivities {
  return { answerBatchRequest: answerBatchRequest(deps), endBatch: endBatch(deps) };
}
