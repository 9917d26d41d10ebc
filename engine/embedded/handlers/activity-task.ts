import type { temporal } from '@temporalio/proto';
import { type ReportedActivity, activityOfRun } from '../activity-tasks/reported-activity.ts';
import { findActivityById, findActivityByToken, findPendingActivityById } from '../activity-tasks/start.ts';
import { sizeOfFailure, sizeOfPayloads } from '../commands/payload-size.ts';
import { requireVersion, workerVersion } from '../deployments/version.ts';
import { isUuid } from '../primitives/ids.ts';
import { checkIdentity } from '../protocol/id-length.ts';
import { TaskQueueType } from '../protocol/proto.ts';
import { failedPrecondition, invalidArgument, notFound } from '../protocol/rpc-error.ts';
import type { RunLookup } from '../runs/find-run.ts';
import { checkTokenNamespace, decodeActivityTaskToken } from '../protocol/task-token.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { isClosed, isInProgress } from '../standalone-activities/activity.ts';
import { standaloneActivity } from '../standalone-activities/reported.ts';
import { findActivity } from './standalone-activities.ts';
import { type PollServices, pollTask } from './task-poll.ts';

type IFailure = temporal.api.failure.v1.IFailure;
type Completed = temporal.api.workflowservice.v1.IRespondActivityTaskCompletedRequest;
type Failed = temporal.api.workflowservice.v1.IRespondActivityTaskFailedRequest;
type Canceled = temporal.api.workflowservice.v1.IRespondActivityTaskCanceledRequest;
type Heartbeat = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatRequest;
type ById = temporal.api.workflowservice.v1.IRespondActivityTaskCompletedByIdRequest;

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
  const { runs, namespaces, matching, activities } = services;
  const { blobBytes } = services.limits;
  const complete = (activity: ReportedActivity, request: Completed): Record<string, never> => {
    const { result, workerVersion } = request;
    const identity = request.identity ?? '';
    checkIdentity(identity);
    if (sizeOfPayloads(result) > blobBytes) {
      activity.fail({ failure: tooLarge('Complete result exceeds size limit.'), identity });
    } else activity.complete({ result: result ?? null, identity, workerVersion });
    return {};
  };
  const fail = (activity: ReportedActivity, request: Failed): object => {
    const { failure = null, lastHeartbeatDetails, workerVersion } = request;
    const identity = request.identity ?? '';
    checkIdentity(identity);
    if (sizeOfFailure(failure) > blobBytes) {
      // No attempt follows.
      const refusal = tooLarge('Failure exceeds size limit.', withoutDetails(failure ?? {}));
      activity.fail({ failure: refusal, identity });
      return { failures: [refusal] };
    }
    activity.fail({ failure, identity, workerVersion, heartbeatDetails: lastHeartbeatDetails });
    return {};
  };
  const cancel = (activity: ReportedActivity, request: Canceled): Record<string, never> => {
    const identity = request.identity ?? '';
    checkIdentity(identity);
    if (sizeOfPayloads(request.details) > blobBytes) {
      activity.fail({ failure: tooLarge('Cancel details exceed size limit.'), identity });
    } else activity.cancel({ details: request.details ?? null, identity });
    return {};
  };
  const heartbeat = (activity: ReportedActivity, { details, identity }: Heartbeat): object => {
    if (sizeOfPayloads(details) <= blobBytes) return activity.heartbeat(details ?? null);
    activity.fail({ failure: tooLarge('Heartbeat details exceed size limit.'), identity: identity ?? '' });
    return { cancelRequested: true };
  };
  const byToken = ({ namespace, taskToken }: Completed | Failed | Canceled | Heartbeat): ReportedActivity => {
    if (namespace) namespaces.get(namespace);
    const token = decodeActivityTaskToken(taskToken);
    checkTokenNamespace(token, namespace);
    if (token.kind === 'activity') return activityOfRun(runs, findActivityByToken(runs, token));
    const activity = activities.find(token);
    if (activity?.state.fence !== token.fence) {
      throw notFound(`activity not found for ID: ${token.activityId}`);
    }
    return standaloneActivity(activities, activity, services.now);
  };
  /** Finds an activity by its id; `anyOpen` finds also one that no worker has. */
  const byId = (request: ById, { anyOpen = false } = {}): ReportedActivity => {
    namespaces.get(request.namespace ?? '');
    const { activityId, runId } = request;
    if (!activityId) throw invalidArgument('ActivityId is not set on request.');
    const { workflowId } = request;
    if (workflowId) {
      const find = anyOpen ? findPendingActivityById : findActivityById;
      return activityOfRun(runs, find(services, { ...request, workflowId, activityId }));
    }
    if (runId && !isUuid(runId)) throw invalidArgument('RunId is not valid UUID.');
    const activity = findActivity(services, request);
    const { state } = activity;
    if (anyOpen && isClosed(state)) throw failedPrecondition(`invalid transition from ${state.status}`);
    if (!anyOpen && !isInProgress(state)) throw notFound(`activity not found for ID: ${activityId}`);
    return standaloneActivity(activities, activity, services.now);
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
    RespondActivityTaskCompletedById: (request) => complete(byId(request, { anyOpen: true }), request),
    RespondActivityTaskFailedById: (request) => fail(byId(request), request),
    RespondActivityTaskCanceledById: (request) => cancel(byId(request), request),
    RecordActivityTaskHeartbeatById: (request) => heartbeat(byId(request), request),
  };
}
