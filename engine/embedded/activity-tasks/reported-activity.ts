import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { Payloads, toEncoded } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { cancelActivity, completeActivity, failActivityAttempt } from './finish.ts';
import type { StartedActivity } from './start.ts';

type IPayloads = temporal.api.common.v1.IPayloads | null;

/** Who reports. Only workers that complete or fail their own task report their build. */
interface Reporter {
  readonly identity: string;
  readonly workerVersion?: temporal.api.common.v1.IWorkerVersionStamp | null | undefined;
}

/** An activity that a worker reports on, in a workflow or without one. */
export interface ReportedActivity {
  complete(report: Reporter & { readonly result: IPayloads }): void;
  /** Ends the attempt; `heartbeatDetails` are those of a last heartbeat, if there was one. */
  fail(
    report: Reporter & {
      readonly failure: temporal.api.failure.v1.IFailure | null;
      readonly heartbeatDetails?: IPayloads | undefined;
    },
  ): void;
  cancel(report: Reporter & { readonly details: IPayloads }): void;
  /** Records that the worker is alive, keeps its details for the next attempt, and answers whether it has to stop. */
  heartbeat(details: IPayloads): object;
}

/** Answers the error for a worker that gives up what nobody has canceled. */
export function notToBeCanceled(): Error {
  return invalidArgument('unable to mark activity as canceled without activity being request canceled first');
}

/** An activity of a run. */
export function activityOfRun(runs: RunRegistry, started: StartedActivity): ReportedActivity {
  const change = <T>(change: (state: MutableState, activity: ActivityRecord) => T): T | undefined =>
    runs.transact(() => {
      const state = runs.edit(started.ref);
      const activity = state?.pending.activities.edit(started.scheduledEventId);
      return state && activity ? change(state, activity) : undefined;
    });
  return {
    complete: (report) => {
      change((state, activity) => {
        completeActivity(state, activity, report);
      });
    },
    fail: ({ heartbeatDetails, ...report }) => {
      change((state, activity) => {
        if (heartbeatDetails)
          activity.heartbeatDetails = toEncoded(Payloads, Payloads.create(heartbeatDetails));
        failActivityAttempt(state, activity, report);
      });
    },
    cancel: (report) => {
      change((state, activity) => {
        if (activity.cancelRequestedEventId === undefined) throw notToBeCanceled();
        cancelActivity(state, activity, report);
      });
    },
    heartbeat: (details) =>
      change((state, activity) => {
        activity.heartbeatTime = state.now();
        if (details) activity.heartbeatDetails = toEncoded(Payloads, Payloads.create(details));
        return {
          ...(activity.cancelRequestedEventId !== undefined && { cancelRequested: true }),
          ...(activity.paused && { activityPaused: true }),
          ...(activity.resetRequested && { activityReset: true }),
        };
      }) ?? {},
  };
}
