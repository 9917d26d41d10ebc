import type { SessionActivities } from '@steadyhand/contracts';
import type { ActivityDeps } from './deps.ts';
import { readSession } from './session-data.ts';

/** Stops the tool use that is running and says whether it was; its output so far becomes its outcome. */
export function interruptTool({ store, sandboxes }: ActivityDeps): SessionActivities['interruptTool'] {
  return async ({ session, call: toolUse }) => {
    const { sandbox_id: sandbox } = await readSession(store, session);
    // Nothing can run in a session without a sandbox.
    return { running: sandbox !== null && (await sandboxes.interrupt(sandbox, toolUse)).running };
  };
}
