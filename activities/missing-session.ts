import { ApplicationFailure, Context } from '@temporalio/activity';
import type { SessionActivities, SessionRef } from '@steadyhand/contracts';
import { NotStoredError, type Store } from '@steadyhand/store';

type Invocation = Parameters<SessionActivities['runTool']>[1];
export type Activity<Input extends SessionRef, Outcome> = (
  input: Input,
  invocation: Invocation,
) => Promise<Outcome>;

/** The type of the failure, which Temporal shows with the pending activity. */
export const SESSION_MISSING = 'SessionMissing';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/**
 * The same activity for workers whose store may not be the session's: a session that is not there is no reason to end it. The
 * step is tried again, by another worker perhaps, every minute at least; the log and the Temporal service say why. A session
 * that the store knows as deleted is another matter: its step fails for good, and the deletion ends its workflow.
 */
export function orElsewhere<Input extends SessionRef, Outcome>(
  { sessions }: Pick<Store, 'sessions'>,
  activity: Activity<Input, Outcome>,
): Activity<Input, Outcome> {
  return async (input, invocation) => {
    const { session } = input;
    try {
      return await activity(input, invocation);
    } catch (error) {
      const isMissing = error instanceof NotStoredError && error.kind === 'session' && error.id === session;
      if (!isMissing || (await isKnown(sessions, session))) throw error;
      const { log, info } = Context.current();
      const message = `this worker's store has no session ${session}: either it is not the store that the session is in, or it was set back`;
      log.error(message, { session });
      throw ApplicationFailure.create({
        type: SESSION_MISSING,
        message,
        nextRetryDelay: Math.min(FIRST_WAIT_MS * 2 ** (info.attempt - 1), LONGEST_WAIT_MS),
        cause: error,
      });
    }
  };
}

/** Whether the session has ended here or is being deleted. */
async function isKnown(sessions: Store['sessions'], id: string): Promise<boolean> {
  if ((await sessions.get(id)) !== undefined) return true;
  return (await sessions.deleting()).some((deleted) => deleted.id === id);
}
