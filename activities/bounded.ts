import { ApplicationFailure, Context } from '@temporalio/activity';
import type { SessionActivities, SessionRef } from '@steadyhand/contracts';
import { final, toFailure } from './failures.ts';
import { Patience } from './patience.ts';
import { stepKey } from './step-key.ts';

type Invocation = Parameters<SessionActivities['runTool']>[1];
type Activity<Input extends SessionRef, Outcome> = (input: Input, invocation: Invocation) => Promise<Outcome>;

/**
 * The same activity, given up when it has failed for too long: Temporal would try it for ever, and a session whose computer or
 * store is broken would say `running` all that time. Its turn then ends with the last error.
 */
export function bounded<Input extends SessionRef, Outcome>(
  activity: Activity<Input, Outcome>,
  patience = new Patience(),
): Activity<Input, Outcome> {
  return async (input, invocation) => {
    const step = `${input.session}/${stepKey(input, invocation)}`;
    try {
      const outcome = await activity(input, invocation);
      patience.forget(step);
      return outcome;
    } catch (error) {
      const failure = toFailure(error);
      const ends = isFinal(failure) || Context.current().cancellationSignal.aborted;
      if (!ends && !patience.isOver(step)) throw failure;
      patience.forget(step);
      throw ends || !(failure instanceof Error) ? failure : final(failure.name, failure);
    }
  };
}

const isFinal = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.nonRetryable === true;
