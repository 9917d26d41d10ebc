import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import { readUpdateAnswer } from '../updates/messages.ts';

type Request = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest;

/**
 * Whether the answer to a speculative task changes nothing: it has no commands, and its updates are rejected or not
 * mentioned. Such a task leaves no trace: its events are never written, and the worker goes back to where it was.
 */
export function isOnlyRejections(state: MutableState, task: WorkflowTaskRecord, request: Request): boolean {
  return (
    task.kind === 'speculative' &&
    (request.commands ?? []).length === 0 &&
    request.forceCreateNewWorkflowTask !== true &&
    !state.hasBufferedEvents &&
    (request.messages ?? []).every((message) => readUpdateAnswer(message)?.kind === 'reject')
  );
}
