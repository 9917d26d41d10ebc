import type { temporal } from '@temporalio/proto';
import { ActivityExecutionStatus, WorkflowExecutionStatus } from '../protocol/proto.ts';
import { jsonPayload, timestampMs, duration } from '../protocol/values.ts';
import { type Attribute, IndexedValueType } from '../visibility/attribute-types.ts';
import { statusNames } from '../visibility/query-values.ts';
import type { QueryScope } from '../visibility/query-scope.ts';
import type { VisibilityRecord } from '../visibility/visibility-record.ts';
import { type StandaloneActivity, firstDispatchTime } from './activity.ts';
import type { ActivityRequest } from './activity-store.ts';

/** The division in which the real server lists activities that belong to no workflow. */
const DIVISION = '3332429922';

const Workflow = WorkflowExecutionStatus;
const Activity = ActivityExecutionStatus;

/** The statuses as listings of workflows have them, and as clients of activities do. */
const STATUSES = [
  [Workflow.WORKFLOW_EXECUTION_STATUS_RUNNING, Activity.ACTIVITY_EXECUTION_STATUS_RUNNING],
  [Workflow.WORKFLOW_EXECUTION_STATUS_COMPLETED, Activity.ACTIVITY_EXECUTION_STATUS_COMPLETED],
  [Workflow.WORKFLOW_EXECUTION_STATUS_FAILED, Activity.ACTIVITY_EXECUTION_STATUS_FAILED],
  [Workflow.WORKFLOW_EXECUTION_STATUS_CANCELED, Activity.ACTIVITY_EXECUTION_STATUS_CANCELED],
  [Workflow.WORKFLOW_EXECUTION_STATUS_TERMINATED, Activity.ACTIVITY_EXECUTION_STATUS_TERMINATED],
  [Workflow.WORKFLOW_EXECUTION_STATUS_TIMED_OUT, Activity.ACTIVITY_EXECUTION_STATUS_TIMED_OUT],
  [Workflow.WORKFLOW_EXECUTION_STATUS_PAUSED, Activity.ACTIVITY_EXECUTION_STATUS_PAUSED],
] as const;

/** Answers the status that clients see: one that a worker has is running, whatever it was asked to do. */
export function shownStatus({ state }: StandaloneActivity): temporal.api.enums.v1.ActivityExecutionStatus {
  switch (state.status) {
    case 'Completed':
      return Activity.ACTIVITY_EXECUTION_STATUS_COMPLETED;
    case 'Failed':
      return Activity.ACTIVITY_EXECUTION_STATUS_FAILED;
    case 'Canceled':
      return Activity.ACTIVITY_EXECUTION_STATUS_CANCELED;
    case 'Terminated':
      return Activity.ACTIVITY_EXECUTION_STATUS_TERMINATED;
    case 'TimedOut':
      return Activity.ACTIVITY_EXECUTION_STATUS_TIMED_OUT;
    case 'Paused':
      return Activity.ACTIVITY_EXECUTION_STATUS_PAUSED;
    default:
      return Activity.ACTIVITY_EXECUTION_STATUS_RUNNING;
  }
}

/** Makes the row by which an activity is listed, in the table of workflows. */
export function activityVisibility(
  activity: StandaloneActivity,
  { searchAttributes }: ActivityRequest,
): VisibilityRecord {
  const { ref, state } = activity;
  const shown = shownStatus(activity);
  const { closeTime } = state;
  return {
    namespace: ref.namespace,
    workflowId: ref.activityId,
    runId: ref.runId,
    workflowType: state.activityType,
    status: STATUSES.find(([, each]) => each === shown)?.[0] ?? Workflow.WORKFLOW_EXECUTION_STATUS_RUNNING,
    startTime: nanos(state.scheduledTime),
    executionTime: nanos(firstDispatchTime(state)),
    ...(closeTime !== undefined && {
      closeTime: nanos(closeTime),
      stateTransitionCount: state.transitions,
    }),
    taskQueue: state.options.taskQueue,
    memo: {},
    searchAttributes: {
      ...searchAttributes?.indexedFields,
      TemporalNamespaceDivision: jsonPayload(JSON.stringify(DIVISION), 'Keyword'),
    },
    root: { workflowId: ref.activityId, runId: ref.runId },
  };
}

const statusSql = `CASE status ${statusNames.map((name, n) => `WHEN ${n} THEN '${name}'`).join(' ')} END`;

/** What queries of activities may name: what they have of their own, and all that queries of workflows may. */
export const ACTIVITY_SCOPE: QueryScope = {
  condition: `TemporalNamespaceDivision = '${DIVISION}'`,
  attributes: new Map(
    (
      [
        ['ActivityId', 'workflow_id'],
        ['ActivityType', 'workflow_type'],
        // Any text may be compared with it, where a workflow's has to be a status.
        ['ExecutionStatus', statusSql],
      ] as const
    ).map(([name, column]): [string, Attribute] => [
      name,
      {
        name,
        type: IndexedValueType.Keyword,
        column,
        ...(name === 'ExecutionStatus' && { isFreeText: true }),
      },
    ]),
  ),
  admit: () => undefined,
};

/** Makes what a listing shows of an activity. */
export function toListInfo(
  info: temporal.api.workflow.v1.IWorkflowExecutionInfo,
): temporal.api.activity.v1.IActivityExecutionListInfo {
  const { execution, type, startTime, closeTime, executionTime, taskQueue } = info;
  const took = (timestampMs(closeTime) ?? 0) - (timestampMs(startTime) ?? 0);
  return {
    activityId: execution?.workflowId ?? '',
    runId: execution?.runId ?? '',
    activityType: { name: type?.name ?? '' },
    scheduleTime: startTime ?? null,
    closeTime: closeTime ?? null,
    status: STATUSES.find(([each]) => each === info.status)?.[1] ?? 0,
    searchAttributes: info.searchAttributes ?? null,
    taskQueue: taskQueue ?? '',
    stateTransitionCount: info.stateTransitionCount ?? null,
    ...(closeTime && { executionDuration: duration(took) }),
    executionTime: executionTime ?? null,
  };
}

function nanos(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
