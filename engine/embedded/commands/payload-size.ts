import type { temporal } from '@temporalio/proto';
import { type CommandError, PayloadTooLargeError } from '../protocol/command-error.ts';
import { Failure, Memo, Payloads, SearchAttributes } from '../protocol/proto.ts';
import type { Command } from './context.ts';

type Cause = ConstructorParameters<typeof PayloadTooLargeError>[0];

/** Answers the size of payloads in bytes as they are sent; those of absent ones are 0. */
export function sizeOfPayloads(payloads: temporal.api.common.v1.IPayloads | null | undefined): number {
  return payloads ? Payloads.encode(payloads).finish().length : 0;
}

/** Answers the size of a failure with its causes and details, in bytes. */
export function sizeOfFailure(failure: temporal.api.failure.v1.IFailure | null | undefined): number {
  return failure ? Failure.encode(failure).finish().length : 0;
}

/** Throws for a command that carries more than `limit` bytes. The server ends the run then, because no retry helps. */
export function checkPayloadSize(command: Command, limit: number): void {
  const error = tooLarge(command, limit);
  if (error) throw error;
}

function tooLarge(command: Command, limit: number): CommandError | undefined {
  const exceeds = (size: number, cause: Cause, what: string): CommandError | undefined =>
    size > limit ? new PayloadTooLargeError(cause, `${what} exceeds size limit.`) : undefined;
  const activity = command.scheduleActivityTaskCommandAttributes;
  const child = command.startChildWorkflowExecutionCommandAttributes;
  const signal = command.signalExternalWorkflowExecutionCommandAttributes;
  const continued = command.continueAsNewWorkflowExecutionCommandAttributes;
  return (
    exceeds(
      sizeOfPayloads(activity?.input),
      'BAD_SCHEDULE_ACTIVITY_ATTRIBUTES',
      'ScheduleActivityTaskCommandAttributes.Input',
    ) ??
    exceeds(
      sizeOfPayloads(child?.input),
      'BAD_START_CHILD_EXECUTION_ATTRIBUTES',
      'StartChildWorkflowExecutionCommandAttributes. Input',
    ) ??
    exceeds(
      sizeOfMemo(child?.memo),
      'BAD_START_CHILD_EXECUTION_ATTRIBUTES',
      'StartChildWorkflowExecutionCommandAttributes.Memo',
    ) ??
    exceeds(
      sizeOfPayloads(signal?.input),
      'BAD_SIGNAL_WORKFLOW_EXECUTION_ATTRIBUTES',
      'SignalExternalWorkflowExecutionCommandAttributes.Input',
    ) ??
    exceeds(
      sizeOfPayloads(continued?.input),
      'BAD_CONTINUE_AS_NEW_ATTRIBUTES',
      'ContinueAsNewWorkflowExecutionCommandAttributes. Input',
    ) ??
    exceeds(
      // The server has no cause for a result, and takes this one.
      sizeOfPayloads(command.completeWorkflowExecutionCommandAttributes?.result),
      'BAD_SCHEDULE_ACTIVITY_ATTRIBUTES',
      'CompleteWorkflowExecutionCommandAttributes.Result',
    ) ??
    exceeds(
      sizeOfFailure(command.failWorkflowExecutionCommandAttributes?.failure),
      'BAD_FAIL_WORKFLOW_EXECUTION_ATTRIBUTES',
      'FailWorkflowExecutionCommandAttributes.Failure',
    ) ??
    exceeds(
      sizeOfDetails(command.recordMarkerCommandAttributes?.details),
      'BAD_RECORD_MARKER_ATTRIBUTES',
      'RecordMarkerCommandAttributes.Details',
    ) ??
    exceeds(
      sizeOfMemo(command.modifyWorkflowPropertiesCommandAttributes?.upsertedMemo),
      'BAD_MODIFY_WORKFLOW_PROPERTIES_ATTRIBUTES',
      'ModifyWorkflowPropertiesCommandAttributes',
    ) ??
    exceeds(
      sizeOfAttributes(command.upsertWorkflowSearchAttributesCommandAttributes?.searchAttributes),
      'BAD_SEARCH_ATTRIBUTES',
      'UpsertWorkflowSearchAttributesCommandAttributes',
    )
  );
}

function sizeOfDetails(
  details: Readonly<Record<string, temporal.api.common.v1.IPayloads>> | null | undefined,
): number {
  let size = 0;
  for (const [name, payloads] of Object.entries(details ?? {})) {
    size += Buffer.byteLength(name) + sizeOfPayloads(payloads);
  }
  return size;
}

function sizeOfMemo(memo: temporal.api.common.v1.IMemo | null | undefined): number {
  return memo ? Memo.encode(memo).finish().length : 0;
}

function sizeOfAttributes(attributes: temporal.api.common.v1.ISearchAttributes | null | undefined): number {
  return attributes ? SearchAttributes.encode(attributes).finish().length : 0;
}
