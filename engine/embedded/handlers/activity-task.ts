import type { temporal } from '@temporalio/proto';
import { cancelActivity, completeActivity, failActivityAttempt } from '../activity-tasks/finish.ts';
import {
  type StartedActivity,
  findActivityById,
  findActivityByToken,
  findPendingActivityById,
} from '../activity-tasks/start.ts';
import { sizeOfFailure, sizeOfPayloads } from '../commands/payload-size.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { requireVersion, workerVersion } from '../deployments/version.ts';
import { checkIdentity } from '../protocol/id-length.ts';
import { Payloads, TaskQueueType, toEncoded } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import type { RunLookup } from '../runs/find-run.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { type PollServices, pollTask } from './task-poll.ts';

type IFailure = temporal.api.failure.v1.IFailure;
type Completed = temporal.api.workflowservice.v1.IRespondActivityTaskCompletedRequest;
type Failed = temporal.api.workflowservice.v1.IRespondActivityTaskFailedRequest;
type Canceled = temporal.api.workflowservice.v1.IRespondActivityTaskCanceledRequest;
type Heartbeat = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatRequest;

const tooLarge = (message: string, cause?: IFailure): IFailure => ({
  message,
  serverFailureInfo: { nonRetryable: true },
  ...(cause && { cause }),
});

const KEPT_MESSAGE = 1000;

/** Answers what is small of a failure that is too large to keep. */
function withoutDetails({ message, source, applicationFailureInfo: info }: IFailure): IFailure {
  return {
    message: (message ?? '').slice(0, KEPT_MESSAGE),
    source: source ?? '',
    ...(info && {
      applicationFailureInfo: { type: info.type ?? '', nonRetryable: info.nonRetryable ?? false },
    }),
  };
}

/** The methods by which workers get activities and report on them. */
export function activityTaskHandlers(services: PollServices & RunLookup): WorkflowHandlers {
  const { runs, namespaces, matching } = services;
  const finish = (
    started: StartedActivity,
    end: (state: MutableState, activity: ActivityRecord) => void,
  ): Record<string, never> => {
    runs.transact(() => {
      const state = runs.edit(started.ref);
      const activity = state?.pending.activities.edit(started.scheduledEventId);
      if (state && activity) end(state, activity);
    });
    return {};
  };
  const { blobBytes } = services.limits;
  /** Ends an activity whose worker sends more than the server takes. No attempt follows. */
  const refuse = (started: StartedActivity, failure: IFailure, identity: string): Record<string, never> =>
    finish(started, (state, activity) => failActivityAttempt(state, activity, { failure, identity }));
  const complete = (started: StartedActivity, request: Completed): Record<string, never> => {
    const { result, workerVersion } = request;
    const identity = request.identity ?? '';
    checkIdentity(identity);
    if (sizeOfPayloads(result) > blobBytes) {
      return refuse(started, tooLarge('Complete result exceeds size limit.'), identity);
    }
    return finish(started, (state, activity) =>
      completeActivity(state, activity, { result: result ?? null, identity, workerVersion }),
    );
  };
  const fail = (started: StartedActivity, request: Failed): object => {
    checkIdentity(request.identity);
    if (sizeOfFailure(request.failure) > blobBytes) {
      const failure = tooLarge('Failure exceeds size limit.', withoutDetails(request.failure ?? {}));
      refuse(started, failure, request.identity ?? '');
      return { failures: [failure] };
    }
    return finish(started, (state, activity) => {
      if (request.lastHeartbeatDetails) {
        activity.heartbeatDetails = toEncoded(Payloads, request.lastHeartbeatDetails);
      }
      failActivityAttempt(state, activity, {
        failure: request.failure ?? null,
        identity: request.identity ?? '',
        workerVersion: request.workerVersion,
      });
    });
  };
  const cancel = (started: StartedActivity, request: Canceled): Record<string, never> => {
    const identity = request.identity ?? '';
    checkIdentity(identity);
    if (sizeOfPayloads(request.details) > blobBytes) {
      return refuse(started, tooLarge('Cancel details exceed size limit.'), identity);
    }
    return finish(started, (state, activity) => {
      if (activity.cancelRequestedEventId === undefined) {
        throw invalidArgument(
          'unable to mark activity as canceled without activity being request canceled first',
        );
      }
      cancelActivity(state, activity, { details: request.details ?? null, identity });
    });
  };
  /** Records that the worker is alive, keeps its details for the next attempt, and answers whether it has to stop. */
  const heartbeat = (started: StartedActivity, { details, identity }: Heartbeat): object => {
    if (sizeOfPayloads(details) > blobBytes) {
      refuse(started, tooLarge('Heartbeat details exceed size limit.'), identity ?? '');
      return { cancelRequested: true };
    }
    return runs.transact(() => {
      const state = runs.edit(started.ref);
      const activity = state?.pending.activities.edit(started.scheduledEventId);
      if (!state || !activity) return {};
      activity.heartbeatTime = state.now();
      if (details) activity.heartbeatDetails = toEncoded(Payloads, details);
      return {
        ...(activity.cancelRequestedEventId !== undefined && { cancelRequested: true }),
        ...(activity.paused && { activityPaused: true }),
        ...(activity.resetRequested && { activityReset: true }),
      };
    });
  };
  const byToken = ({ namespace, taskToken }: Completed | Failed | Canceled | Heartbeat): StartedActivity => {
    if (namespace) namespaces.get(namespace);
    return findActivityByToken(runs, taskToken);
  };
  return {
    PollActivityTaskQueue: async (request, call) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      checkIdentity(request.identity);
      requireVersion(request.deploymentOptions);
      const version = workerVersion(request.deploymentOptions);
      if (version)
        services.deployments.notePoll(namespace, version, name, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY);
      const findQueue = () => matching.activityQueue(namespace, name, version);
      return (await pollTask(services, call, findQueue, request)) ?? {};
    },
    RespondActivityTaskCompleted: (request) => complete(byToken(request), request),
    RespondActivityTaskFailed: (request) => fail(byToken(request), request),
    RespondActivityTaskCanceled: (request) => cancel(byToken(request), request),
    RecordActivityTaskHeartbeat: (request) => heartbeat(byToken(request), request),
    // An activity that no worker has yet can be completed, too, as if whoever does so had begun it.
    RespondActivityTaskCompletedById: (request) =>
      complete(findPendingActivityById(services, request), request),
    RespondActivityTaskFailedById: (request) => fail(findActivityById(services, request), request),
    RespondActivityTaskCanceledById: (request) => cancel(findActivityById(services, request), request),
    RecordActivityTaskHeartbeatById: (request) => heartbeat(findActivityById(services, request), request),
  };
}
