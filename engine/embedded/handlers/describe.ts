import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord, RunRecord } from '../mutable-state/record.ts';
import {
  EventType,
  Failure,
  Memo,
  Payloads,
  PendingActivityState,
  PendingWorkflowTaskState,
  Priority,
  ResetPoints,
  TaskQueueKind,
  UserMetadata,
  fromEncodedOptional,
} from '../protocol/proto.ts';
import {
  duration,
  long,
  optionalDuration,
  optionalTimestamp,
  timestamp,
  withoutZeroValues,
} from '../protocol/values.ts';
import type { SearchAttributeRegistry } from '../visibility/search-attribute-registry.ts';
import { visibleSearchAttributes } from '../visibility/visibility-record.ts';
import { type RunLookup, findRun } from '../runs/find-run.ts';
import { versioningInfo } from '../deployments/run-versioning.ts';
import { activityOptions } from '../activity-tasks/options.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';

type Response = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;
type RequestIdInfos = Record<string, temporal.api.workflow.v1.IRequestIdInfo>;
type PendingActivity = temporal.api.workflow.v1.IPendingActivityInfo;

interface DescribeServices extends RunLookup {
  readonly searchAttributes: SearchAttributeRegistry;
}

export function describeHandlers(services: DescribeServices): WorkflowHandlers {
  return {
    DescribeWorkflowExecution: (request) =>
      describeRun(services, findRun(services, request.namespace, request.execution)),
  };
}

function describeRun(
  { namespaces, searchAttributes }: Pick<DescribeServices, 'namespaces' | 'searchAttributes'>,
  state: MutableState,
): Response {
  const { record, pending, ref } = state;
  const versioning = versioningInfo(record);
  const started = state.event(1).workflowExecutionStartedEventAttributes;
  const parentId = record.parent && namespaces.get(record.parent.namespace).id;
  return {
    executionConfig: {
      taskQueue: { name: record.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      // A timeout of none is told where the first event tells it.
      workflowExecutionTimeout: started?.workflowExecutionTimeout
        ? duration(record.executionTimeoutMs)
        : null,
      workflowRunTimeout: started?.workflowRunTimeout ? duration(record.runTimeoutMs) : null,
      defaultWorkflowTaskTimeout: duration(record.taskTimeoutMs),
      userMetadata: fromEncodedOptional(UserMetadata, record.userMetadata),
    },
    workflowExecutionInfo: {
      execution: { workflowId: ref.workflowId, runId: ref.runId },
      type: { name: record.workflowType },
      startTime: timestamp(record.startTime),
      executionTime: timestamp(record.executionTime),
      ...(record.closeTime !== undefined && {
        closeTime: timestamp(record.closeTime),
        executionDuration: duration(record.closeTime - record.executionTime),
      }),
      status: state.shownStatus,
      historyLength: long(record.nextEventId - 1),
      historySizeBytes: long(record.historySizeBytes),
      stateTransitionCount: long(record.stateTransitions),
      memo: fromEncodedOptional(Memo, record.memo) ?? {},
      // A run may carry some whose names were removed.
      searchAttributes: {
        indexedFields: Object.fromEntries(
          Object.entries(visibleSearchAttributes(state)).filter(
            ([name]) => searchAttributes.settable(ref.namespace, name) !== undefined,
          ),
        ),
      },
      autoResetPoints: fromEncodedOptional(ResetPoints, record.resetPoints) ?? {},
      taskQueue: record.taskQueue,
      ...(record.parent && {
        parentNamespaceId: parentId ?? '',
        parentExecution: { workflowId: record.parent.workflowId, runId: record.parent.runId },
      }),
      ...(record.lastBuildId && { mostRecentWorkerVersionStamp: { buildId: record.lastBuildId } }),
      rootExecution: record.root,
      firstRunId: record.firstRunId,
      priority: fromEncodedOptional(Priority, record.priority),
      ...(versioning && {
        versioningInfo: versioning,
        workerDeploymentName: versioning.deploymentVersion?.deploymentName ?? '',
      }),
    },
    pendingActivities: [...pending.activities.values()].map(describeActivity),
    pendingChildren: [...pending.children.values()].map((child) => ({
      workflowId: child.workflowId,
      runId: child.runId ?? '',
      workflowTypeName: child.workflowType,
      initiatedId: long(child.initiatedEventId),
      parentClosePolicy: child.parentClosePolicy,
    })),
    pendingWorkflowTask: describeWorkflowTask(state),
    workflowExtendedInfo: {
      executionExpirationTime: optionalTimestamp(record.executionExpiration),
      runExpirationTime: record.runExpiration === undefined ? NO_TIME : timestamp(record.runExpiration),
      requestIdInfos: requestIdInfos(record),
      cancelRequested: record.cancelRequested,
      originalStartTime: timestamp(record.reset?.originalStartTime ?? record.startTime),
      ...(record.reset && { lastResetTime: timestamp(record.startTime) }),
      ...(record.resetRunId !== undefined && { resetRunId: record.resetRunId }),
      ...(record.paused && {
        pauseInfo: {
          identity: record.paused.identity,
          pausedTime: timestamp(record.paused.time),
          reason: record.paused.reason,
        },
      }),
    },
  };
}

/** The moment that the server gives where there is none: the first of the year 1. */
const NO_TIME = timestamp(-62_135_596_800_000);

/** The requests that started the run or were attached to it, with the events that tell of them. */
function requestIdInfos({ startRequestId, attachedRequests }: RunRecord): RequestIdInfos {
  const infos: RequestIdInfos = {
    [startRequestId]: { eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, eventId: long(1) },
  };
  const eventType = EventType.EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED;
  for (const [requestId, eventId] of Object.entries(attachedRequests ?? {})) {
    infos[requestId] = eventId === 0 ? { eventType, buffered: true } : { eventType, eventId: long(eventId) };
  }
  return infos;
}

function describeWorkflowTask(state: MutableState): temporal.api.workflow.v1.IPendingWorkflowTaskInfo | null {
  const task = state.record.workflowTask;
  if (!task) return null;
  return {
    state: task.handedOut
      ? PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_STARTED
      : PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED,
    scheduledTime: timestamp(task.scheduledTime),
    originalScheduledTime: timestamp(task.originalScheduledTime),
    startedTime: optionalTimestamp(task.handedOut ? task.startedTime : undefined),
    attempt: task.attempt,
  };
}

function describeActivity(activity: Readonly<ActivityRecord>): PendingActivity {
  const maximumAttempts = activity.retry?.maximumAttempts ?? 0;
  const isBackingOff = activity.backoffUntil !== undefined && !activity.paused;
  return {
    activityId: activity.activityId,
    activityType: { name: activity.activityType },
    state: activityState(activity),
    attempt: activity.attempt,
    ...(maximumAttempts > 0 && { maximumAttempts }),
    scheduledTime: timestamp(activity.backoffUntil ?? activity.attemptScheduledTime),
    ...(activity.scheduleToCloseMs > 0 && {
      expirationTime: timestamp(activity.scheduledTime + activity.scheduleToCloseMs),
    }),
    lastStartedTime: optionalTimestamp(activity.startedTime),
    lastHeartbeatTime: optionalTimestamp(activity.heartbeatTime),
    heartbeatDetails: fromEncodedOptional(Payloads, activity.heartbeatDetails),
    lastFailure: fromEncodedOptional(Failure, activity.lastFailure),
    lastWorkerIdentity: activity.identity ?? '',
    currentRetryInterval: isBackingOff ? optionalDuration(activity.retryIntervalMs) : null,
    lastAttemptCompleteTime: optionalTimestamp(activity.lastAttemptCompleteTime),
    nextAttemptScheduleTime: isBackingOff ? optionalTimestamp(activity.backoffUntil) : null,
    ...(activity.paused && {
      paused: true,
      pauseInfo: {
        pauseTime: timestamp(activity.paused.time),
        manual: withoutZeroValues({ identity: activity.paused.identity, reason: activity.paused.reason }),
      },
    }),
    priority: fromEncodedOptional(Priority, activity.priority),
    activityOptions: {
      ...activityOptions(activity),
      taskQueue: { name: activity.taskQueue, normalName: activity.taskQueue },
    },
  };
}

function activityState(activity: Readonly<ActivityRecord>): temporal.api.enums.v1.PendingActivityState {
  const { startedTime, cancelRequestedEventId, paused } = activity;
  if (startedTime === undefined) {
    return paused
      ? PendingActivityState.PENDING_ACTIVITY_STATE_PAUSED
      : PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
  }
  if (cancelRequestedEventId !== undefined) {
    return PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED;
  }
  return paused
    ? PendingActivityState.PENDING_ACTIVITY_STATE_PAUSE_REQUESTED
    : PendingActivityState.PENDING_ACTIVITY_STATE_STARTED;
}
