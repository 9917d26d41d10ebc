import type { temporal } from '@temporalio/proto';
import { cancelActivity, completeActivity, failActivityAttempt } from '../activity-tasks/finish.ts';
import { recordHeartbeat } from '../activity-tasks/heartbeat.ts';
import { type StartedActivity, findActivityById, findActivityByToken } from '../activity-tasks/find.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Payloads, toEncoded } from '../protocol/proto.ts';
import type { RunLookup } from '../runs/find-run.ts';
import { validTaskQueue } from '../runs/start-request.ts';
import type { Call, Handlers } from '../rpc/call.ts';
import { type PollServices, pollTask } from './task-poll.ts';

type PollRequest = temporal.api.workflowservice.v1.IPollActivityTaskQueueRequest;
type Completed = temporal.api.workflowservice.v1.IRespondActivityTaskCompletedRequest;
type CompletedById = temporal.api.workflowservice.v1.IRespondActivityTaskCompletedByIdRequest;
type Failed = temporal.api.workflowservice.v1.IRespondActivityTaskFailedRequest;
type FailedById = temporal.api.workflowservice.v1.IRespondActivityTaskFailedByIdRequest;
type Canceled = temporal.api.workflowservice.v1.IRespondActivityTaskCanceledRequest;
type CanceledById = temporal.api.workflowservice.v1.IRespondActivityTaskCanceledByIdRequest;
type Heartbeat = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatRequest;
type HeartbeatById = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatByIdRequest;

/** The methods by which workers get activities and report on them. */
export function activityTaskHandlers(services: PollServices & RunLookup): Handlers {
  const { runs, namespaces, matching } = services;
  const finish = (
    started: StartedActivity,
    end: (state: MutableState, activity: ActivityRecord) => void,
  ): Record<string, never> => {
    runs.transact(() => {
      const state = runs.edit(started.ref);
      const activity = state?.record.activities[started.scheduledEventId];
      if (state && activity) end(state, activity);
    });
    return {};
  };
  const complete = (started: StartedActivity, request: Completed | CompletedById): Record<string, never> =>
    finish(started, (state, activity) =>
      completeActivity(state, activity, {
        result: request.result ?? null,
        identity: request.identity ?? '',
        workerVersion: 'workerVersion' in request ? request.workerVersion : null,
      }),
    );
  const fail = (started: StartedActivity, request: Failed | FailedById): Record<string, never> =>
    finish(started, (state, activity) => {
      if (request.lastHeartbeatDetails) {
        activity.heartbeatDetails = toEncoded(Payloads, request.lastHeartbeatDetails);
      }
      failActivityAttempt(state, activity, {
        failure: request.failure ?? {},
        identity: request.identity ?? '',
        workerVersion: 'workerVersion' in request ? request.workerVersion : null,
      });
    });
  const cancel = (started: StartedActivity, request: Canceled | CanceledById): Record<string, never> =>
    finish(started, (state, activity) =>
      cancelActivity(state, activity, {
        details: request.details ?? null,
        identity: request.identity ?? '',
      }),
    );
  return {
    PollActivityTaskQueue: async (request: PollRequest, call: Call) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const findQueue = () => matching.activityQueue(namespace, name);
      return (await pollTask(services, call, findQueue, request)) ?? {};
    },
    RespondActivityTaskCompleted: (request: Completed) =>
      complete(findActivityByToken(runs, request.taskToken), request),
    RespondActivityTaskFailed: (request: Failed) =>
      fail(findActivityByToken(runs, request.taskToken), request),
    RespondActivityTaskCanceled: (request: Canceled) =>
      cancel(findActivityByToken(runs, request.taskToken), request),
    RecordActivityTaskHeartbeat: (request: Heartbeat) =>
      recordHeartbeat(runs, findActivityByToken(runs, request.taskToken), request.details),
    RespondActivityTaskCompletedById: (request: CompletedById) =>
      complete(findActivityById(services, request), request),
    RespondActivityTaskFailedById: (request: FailedById) =>
      fail(findActivityById(services, request), request),
    RespondActivityTaskCanceledById: (request: CanceledById) =>
      cancel(findActivityById(services, request), request),
    RecordActivityTaskHeartbeatById: (request: HeartbeatById) =>
      recordHeartbeat(runs, findActivityById(services, request), request.details),
  };
}
