import { appendResult } from './append-result.ts';
import type { SessionActivities } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { interruptTool } from './interrupt-tool.ts';
import { look } from './look.ts';
import { requestModel } from './request-model.ts';
import { runTool } from './run-tool.ts';
import { turns } from './turns.ts';

export type { ActivityDeps } from './deps.ts';
export { sandboxIdOf } from './session-sandbox.ts';

/** The activities that the worker registers, by the names that the session workflow calls. */
export function createActivities(deps: ActivityDeps): SessionActivities {
  return {
    requestModel: requestModel(deps),
    runTool: runTool(deps),
    interruptTool: interruptTool(deps),
    look: look(deps),
    appendResult: appendResult(deps),
    ...turns(deps),
  };
}
