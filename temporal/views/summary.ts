import type { RunRef } from '../shapes/common.ts';
import { STATUSES, type WorkflowSummary } from '../shapes/summary.ts';
import {
  choiceOf,
  type Fields,
  fieldsOf,
  isFields,
  maybeFields,
  maybeMs,
  maybeText,
  maybeTime,
  numberOf,
  textOf,
  timeOf,
} from '../wire/fields.ts';
import { metadataText, type WirePayload } from '../payloads/wire-payload.ts';
import { decodedOf } from './decoded.ts';

/** What a `WorkflowExecutionInfo` says, whose payloads have been decoded. */
export function summaryOf(info: Fields): WorkflowSummary {
  const execution = fieldsOf(info, 'execution');
  return {
    type: 'workflow',
    workflow_id: textOf(execution, 'workflowId'),
    run_id: textOf(execution, 'runId'),
    workflow_type: textOf(fieldsOf(info, 'type'), 'name'),
    status: choiceOf(info, 'status', 'WORKFLOW_EXECUTION_STATUS_', STATUSES, 'running'),
    task_queue: textOf(info, 'taskQueue'),
    start_time: timeOf(info, 'startTime'),
    execution_time: maybeTime(info, 'executionTime'),
    close_time: maybeTime(info, 'closeTime'),
    duration_ms: maybeTime(info, 'closeTime') === null ? null : (maybeMs(info, 'executionDuration') ?? 0),
    history_length: untilClosed(info, 'historyLength'),
    history_size_bytes: untilClosed(info, 'historySizeBytes'),
    state_transitions: untilClosed(info, 'stateTransitionCount'),
    parent: runRefOf(maybeFields(info, 'parentExecution')),
    root: runRefOf(maybeFields(info, 'rootExecution')),
    first_run_id: maybeText(info, 'firstRunId'),
    search_attributes: searchAttributesOf(fieldsOf(info, 'searchAttributes')),
    memo: Object.fromEntries(
      Object.entries(fieldsOf(fieldsOf(info, 'memo'), 'fields')).map(([name, payload]) => [
        name,
        decodedOf(payload as Fields),
      ]),
    ),
  };
}

function runRefOf(execution: Fields | null): RunRef | null {
  if (execution === null || textOf(execution, 'workflowId') === '') return null;
  return { workflow_id: textOf(execution, 'workflowId'), run_id: textOf(execution, 'runId') };
}

function searchAttributesOf(message: Fields): WorkflowSummary['search_attributes'] {
  const entries = Object.entries(fieldsOf(message, 'indexedFields')).filter(([, value]) => isFields(value));
  return Object.fromEntries(
    entries.map(([name, payload]) => {
      const type = metadataText(payload as WirePayload, 'type') || null;
      return [name, { type, value: attributeValue(type, decodedOf(payload as Fields).value) }];
    }),
  );
}

/** A server tells a single value as itself in one answer and as a list of one in another, as clients have written it. */
function attributeValue(type: string | null, value: unknown): unknown {
  if (type === 'KeywordList') return Array.isArray(value) ? value : [value];
  return Array.isArray(value) && value.length === 1 ? (value as readonly unknown[])[0] : value;
}

/** A number that lists have of closed runs alone. */
const untilClosed = (info: Fields, key: string): number | null =>
  maybeTime(info, 'closeTime') === null ? numberOf(info, key) || null : numberOf(info, key);
