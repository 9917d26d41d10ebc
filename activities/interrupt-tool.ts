import type { SessionActivities } from '@steadyhand/contracts';
import { readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';
import { toFailure } from './failures.ts';

/** Stops the tool use that is running, and says whether it was; what it had put out becomes its outcome. */
export function interruptTool({ store, sandboxes }: ActivityDeps): SessionActivities['interruptTool'] {
  return async ({ session, call }) => {
    try {
      const { sandbox_id: sandbox } = await readSession(store, session);
      // A session without a computer has nothing that could run.
      return { running: sandbox !== null && (await sandboxes.interrupt(sandbox, call)).running };
    } catch (error) {
      throw toFailure(error);
    }
  };
}
