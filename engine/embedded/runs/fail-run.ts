import type { temporal } from '@temporalio/proto';
import { nextCronWaitMs } from '../cron/next-run.ts';
import { newId } from '../primitives/ids.ts';
import type { EventAttributes } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { RetryState, TimeoutType, WorkflowExecutionStatus } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { abandonWorkflowTask, closeRun } from './close-run.ts';
import { startCronRun, startRetryRun } from './continue-run.ts';
import { type RetryDecision, decideRetry } from './retry-decision.ts';
import type { RunServices } from './create-run.ts';

type Failure = temporal.api.failure.v1.IFailure;

/** Ends a run whose workflow completed, and starts the next one of a cron schedule. */
export function completeRun(
  services: RunServices,
  state: MutableState,
  result: temporal.api.common.v1.IPayloads | null,
  workflowTaskCompletedEventId: number,
): void {
  const { WORKFLOW_EXECUTION_STATUS_COMPLETED: status } = WorkflowExecutionStatus;
  const waitMs = cronWaitMs(state);
  const runId = waitMs === undefined ? undefined : newId();
  const event: EventAttributes = {
    workflowExecutionCompletedEventAttributes: {
      result,
      workflowTaskCompletedEventId: long(workflowTaskCompletedEventId),
      newExecutionRunId: runId ?? '',
    },
  };
  closeRun(state, status, event, runId);
  if (waitMs !== undefined && runId !== undefined) {
    startCronRun(services, state, { runId, waitMs, result });
  }
}

function cronWaitMs(state: MutableState): number | undefined {
  const { cron, executionTime } = state.record;
  return nextCronWaitMs(cron, executionTime, state.now());
}

/** Ends a run whose workflow failed, and starts the next attempt when the retry policy allows one. */
export function failRun(
  services: RunServices,
  state: MutableState,
  failure: Failure | null,
  workflowTaskCompletedEventId: number,
): void {
  const { WORKFLOW_EXECUTION_STATUS_FAILED: status } = WorkflowExecutionStatus;
  closeOrRetry(services, state, { status, failure, decision: decide(state, failure) }, (outcome) => ({
    workflowExecutionFailedEventAttributes: {
      failure,
      workflowTaskCompletedEventId: long(workflowTaskCompletedEventId),
      ...outcome,
    },
  }));
}

/** Ends a run whose timeout passed. A run timeout may be retried, an execution timeout ends the chain. */
export function timeOutRun(services: RunServices, state: MutableState): void {
  const { executionExpiration } = state.record;
  const failure: Failure = {
    message: 'workflow timeout',
    source: 'Server',
    timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE },
  };
  const decision: RetryDecision =
    executionExpiration !== undefined && executionExpiration <= state.now()
      ? { retry: false, state: RetryState.RETRY_STATE_TIMEOUT }
      : decide(state, failure);
  abandonWorkflowTask(state);
  const { WORKFLOW_EXECUTION_STATUS_TIMED_OUT: status } = WorkflowExecutionStatus;
  closeOrRetry(services, state, { status, failure, decision }, (outcome) => ({
    workflowExecutionTimedOutEventAttributes: outcome,
  }));
}

function decide(state: MutableState, failure: Failure | null): RetryDecision {
  const { retry: policy, attempt, executionExpiration: deadline } = state.record;
  return decideRetry({ policy, attempt, failure: failure ?? undefined, now: state.now(), deadline });
}

function closeOrRetry(
  services: RunServices,
  state: MutableState,
  end: { status: number; failure: Failure | null; decision: RetryDecision },
  makeEvent: (outcome: { retryState: number; newExecutionRunId: string }) => EventAttributes,
): void {
  const { status, failure, decision } = end;
  const runId = newId();
  if (!decision.retry) {
    const isExpired = (state.record.executionExpiration ?? Infinity) <= state.now();
    const waitMs = isExpired ? undefined : cronWaitMs(state);
    if (waitMs === undefined) {
      closeRun(state, status, makeEvent({ retryState: decision.state, newExecutionRunId: '' }));
      return;
    }
    closeRun(state, status, makeEvent({ retryState: decision.state, newExecutionRunId: runId }), runId);
    startCronRun(services, state, { runId, waitMs, failure });
    return;
  }
  const event = makeEvent({ retryState: RetryState.RETRY_STATE_IN_PROGRESS, newExecutionRunId: runId });
  closeRun(state, status, event, runId);
  startRetryRun(services, state, { runId, failure, intervalMs: decision.intervalMs });
}
