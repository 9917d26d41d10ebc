import type { temporal } from '@temporalio/proto';
import { cancelActivity, completeActivity, failActivityAttempt } from '../../activity/finish.ts';
import { recordHeartbeat } from '../../activity/heartbeat.ts';
import { type HeldActivity, findActivityById, findHeldActivity } from '../../activity/find.ts';
import type { Kernel } from '../../kernel.ts';
import type { MutableState } from '../../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../../mutable-state/record.ts';
import { Payloads, toEncoded } from '../../proto.ts';
import { validTaskQueue } from '../../workflow/start-request.ts';
import type { Call, Handlers } from '../call.ts';
import { pollTask } from './task-poll.ts';

type PollRequest = temporal.api.workflowservice.v1.IPollActivityTaskQueueRequest;
type Completed = temporal.api.workflowservice.v1.IRespondActivityTaskCompletedRequest;
type CompletedById = temporal.api.workflowservice.v1.IRespondActivityTaskCompletedByIdRequest;
type Failed = temporal.api.workflowservice.v1.IRespondActivityTaskFailedRequest;
type FailedById = temporal.api.workflowservice.v1.IRespondActivityTaskFailedByIdRequest;
type Canceled = temporal.api.workflowservice.v1.IRespondActivityTaskCanceledRequest;
type CanceledById = temporal.api.workflowservice.v1.IRespondActivityTaskCanceledByIdRequest;
type Heartbeat = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatRequest;
type HeartbeatById = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatByIdRequest;

/** What a worker, or whoever completes an activity elsewhere, asks and answers about activities. */
export function activityTaskHandlers(kernel: Kernel): Handlers {
  const finish = (
    held: HeldActivity,
    end: (state: MutableState, activity: ActivityRecord) => void,
  ): Record<string, never> => {
    kernel.runs.transact(() => {
      const state = kernel.runs.edit(held.ref);
      const activity = state?.record.activities[held.scheduledEventId];
      if (state && activity) end(state, activity);
    });
    return {};
  };
  const complete = (held: HeldActivity, request: Completed | CompletedById): Record<string, never> =>
    finish(held, (state, activity) =>
      completeActivity(kernel, state, activity, {
        result: request.result ?? null,
        identity: request.identity ?? '',
        workerVersion: 'workerVersion' in request ? request.workerVersion : null,
      }),
    );
  const fail = (held: HeldActivity, request: Failed | FailedById): Record<string, never> =>
    finish(held, (state, activity) => {
      if (request.lastHeartbeatDetails) {
        activity.heartbeatDetails = toEncoded(Payloads, request.lastHeartbeatDetails);
      }
      failActivityAttempt(kernel, state, activity, {
        failure: request.failure ?? {},
        identity: request.identity ?? '',
        workerVersion: 'workerVersion' in request ? request.workerVersion : null,
      });
    });
  const cancel = (held: HeldActivity, request: Canceled | CanceledById): Record<string, never> =>
    finish(held, (state, activity) =>
      cancelActivity(kernel, state, activity, {
        details: request.details ?? null,
        identity: request.identity ?? '',
      }),
    );
  return {
    PollActivityTaskQueue: async (request: PollRequest, call: Call) => {
      const { name: namespace } = kernel.namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const findQueue = () => kernel.matching.activityQueue(namespace, name);
      return (await pollTask(kernel, call, findQueue, request)) ?? {};
    },
    RespondActivityTaskCompleted: (request: Completed) =>
      complete(findHeldActivity(kernel, request.taskToken), request),
    RespondActivityTaskFailed: (request: Failed) =>
      fail(findHeldActivity(kernel, request.taskToken), request),
    RespondActivityTaskCanceled: (request: Canceled) =>
      cancel(findHeldActivity(kernel, request.taskToken), request),
    RecordActivityTaskHeartbeat: (request: Heartbeat) =>
      recordHeartbeat(kernel, findHeldActivity(kernel, request.taskToken), request.details),
    RespondActivityTaskCompletedById: (request: CompletedById) =>
      complete(findActivityById(kernel, request), request),
    RespondActivityTaskFailedById: (request: FailedById) => fail(findActivityById(kernel, request), request),
    RespondActivityTaskCanceledById: (request: CanceledById) =>
      cancel(findActivityById(kernel, request), request),
    RecordActivityTaskHeartbeatById: (request: HeartbeatById) =>
      recordHeartbeat(kernel, findActivityById(kernel, request), request.details),
  };
}
