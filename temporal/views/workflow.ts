import type { Possibility, Workflow } from '../shapes/workflow.ts';
import {
  choiceOf,
  type Fields,
  fieldsOf,
  isSet,
  limitMs,
  listOf,
  maybeFields,
  maybeText,
  maybeTime,
  numberOf,
  textOf,
} from '../wire/fields.ts';
import { attributesOf, continuedFrom, continuedTo } from './chain.ts';
import { maybePayload, payloadsOf } from './decoded.ts';
import { failureOf } from './failure.ts';
import {
  pendingActivitiesOf,
  pendingChildrenOf,
  pendingNexusOperationsOf,
  pendingWorkflowTaskOf,
} from './pending.ts';
import { summaryOf } from './summary.ts';

/** What a workflow's view is made of; the payloads of all have been decoded. */
export interface WorkflowParts {
  readonly namespace: string;
  readonly description: Fields;
  /** The first event. */
  readonly started: Fields;
  /** The last one; null while it runs. */
  readonly closed: Fields | null;
  readonly timers: Workflow['pending_timers'];
  readonly canReset: { readonly available: boolean; readonly reason: string | null };
  readonly isMachineKnown: boolean;
}

export function workflowView(parts: WorkflowParts): Workflow {
  const { namespace, description, started, closed, timers, canReset } = parts;
  const summary = summaryOf(fieldsOf(description, 'workflowExecutionInfo'));
  const config = fieldsOf(description, 'executionConfig');
  const metadata = fieldsOf(config, 'userMetadata');
  const extended = fieldsOf(description, 'workflowExtendedInfo');
  const start = attributesOf(started);
  return {
    ...summary,
    namespace,
    original_start_time: maybeTime(extended, 'originalStartTime'),
    attempt: numberOf(start, 'attempt') || 1,
    cron_schedule: maybeText(start, 'cronSchedule'),
    continued_from: continuedFrom(started, summary.run_id),
    continued_to: continuedTo(closed, maybeText(extended, 'resetRunId')),
    input: payloadsOf(start, 'input'),
    ...closeOf(closed),
    cancel_requested: isSet(extended, 'cancelRequested'),
    execution_expires_at: maybeTime(extended, 'executionExpirationTime'),
    run_expires_at: maybeTime(extended, 'runExpirationTime'),
    timeouts: {
      execution_ms: limitMs(config, 'workflowExecutionTimeout'),
      run_ms: limitMs(config, 'workflowRunTimeout'),
      task_ms: limitMs(config, 'defaultWorkflowTaskTimeout'),
    },
    started_by: maybeText(start, 'identity'),
    summary: maybePayload(metadata, 'summary'),
    details: maybePayload(metadata, 'details'),
    pending_activities: pendingActivitiesOf(description),
    pending_children: pendingChildrenOf(description),
    pending_timers: timers,
    pending_workflow_task: pendingWorkflowTaskOf(description),
    pending_nexus_operations: pendingNexusOperationsOf(description),
    versioning: versioningOf(fieldsOf(description, 'workflowExecutionInfo')),
    reset_points: resetPointsOf(fieldsOf(description, 'workflowExecutionInfo')),
    actions: actionsOf(summary.status === 'running' || summary.status === 'paused', canReset),
    explainable: parts.isMachineKnown,
    as_of: new Date().toISOString(),
  };
}

function closeOf(
  closed: Fields | null,
): Pick<Workflow, 'result' | 'failure' | 'close_reason' | 'close_event_id'> {
  if (closed === null) return { result: null, failure: null, close_reason: null, close_event_id: null };
  const attributes = attributesOf(closed);
  const type = textOf(closed, 'eventType');
  const continues = type.endsWith('CONTINUED_AS_NEW');
  return {
    result:
      type.endsWith('EXECUTION_COMPLETED') || continues
        ? payloadsOf(attributes, continues ? 'input' : 'result')
        : null,
    failure: failureOf(attributes, 'failure'),
    close_reason: maybeText(attributes, 'reason'),
    close_event_id: numberOf(closed, 'eventId'),
  };
}

function versioningOf(info: Fields): Workflow['versioning'] {
  const versioning = maybeFields(info, 'versioningInfo');
  const stamp = maybeText(fieldsOf(info, 'mostRecentWorkerVersionStamp'), 'buildId');
  if (versioning === null && stamp === null) return null;
  const version = fieldsOf(versioning ?? {}, 'deploymentVersion');
  return {
    behavior: choiceOf(
      versioning ?? {},
      'behavior',
      'VERSIONING_BEHAVIOR_',
      ['pinned', 'auto_upgrade', 'unspecified'],
      'unspecified',
    ),
    deployment: maybeText(version, 'deploymentName'),
    build_id: maybeText(version, 'buildId') ?? stamp,
  };
}

function resetPointsOf(info: Fields): Workflow['reset_points'] {
  return listOf(fieldsOf(info, 'autoResetPoints'), 'points').map((point) => ({
    event_id: numberOf(point, 'firstWorkflowTaskCompletedId'),
    run_id: textOf(point, 'runId'),
    build_id: textOf(point, 'buildId') || textOf(point, 'binaryChecksum'),
    time: maybeTime(point, 'createTime'),
    resettable: isSet(point, 'resettable'),
  }));
}

const POSSIBLE: Possibility = { available: true, reason: null };
const CLOSED: Possibility = { available: false, reason: 'The run has closed.' };

function actionsOf(isOpen: boolean, canReset: Possibility): Workflow['actions'] {
  const whileOpen = isOpen ? POSSIBLE : CLOSED;
  return {
    signal: whileOpen,
    update: whileOpen,
    query: POSSIBLE,
    cancel: whileOpen,
    terminate: whileOpen,
    reset: canReset,
  };
}
