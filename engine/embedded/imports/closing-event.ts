import type { HistoryEvent } from '../history/events.ts';
import { WorkflowExecutionStatus } from '../protocol/proto.ts';

/** The status of a run that this event ends; undefined of an event that does not end it. */
export function statusAfter(event: HistoryEvent): number | undefined {
  if (event.workflowExecutionCompletedEventAttributes)
    return WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED;
  if (event.workflowExecutionFailedEventAttributes)
    return WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED;
  if (event.workflowExecutionTimedOutEventAttributes)
    return WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT;
  if (event.workflowExecutionCanceledEventAttributes)
    return WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED;
  if (event.workflowExecutionTerminatedEventAttributes)
    return WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED;
  if (event.workflowExecutionContinuedAsNewEventAttributes)
    return WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW;
  return undefined;
}

/** The run that goes on after the event; undefined where none does. */
export function runAfter(event: HistoryEvent): string | undefined {
  const ended =
    event.workflowExecutionCompletedEventAttributes ??
    event.workflowExecutionFailedEventAttributes ??
    event.workflowExecutionTimedOutEventAttributes ??
    event.workflowExecutionContinuedAsNewEventAttributes;
  return ended?.newExecutionRunId || undefined;
}
