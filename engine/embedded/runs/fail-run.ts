import type { temporal } from '@temporalio/proto';
import { newId } from '../primitives/ids.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { RetryState, TimeoutType, WorkflowExecutionStatus } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { abandonWorkflowTask, closeRun } from './close-run.ts';
import { startRetryRun } from './continue-run.ts';
import { decideRetry } from './retry-decision.ts';
import type { RunServices } from './run-services.ts';

type Failure = temporal.api.failure.v1.IFailure;

/** Ends a run whose workflow failed, and starts the next attempt when the retry policy allows one. */
export function failRun(
  services: RunServices,
  state: MutableState,
  failure: Failure | null,
  workflowTaskCompletedEventId: number,
): void {
  const { record } = state;
  const decision = decideRetry({
    policy: record.retry,
    attempt: record.attempt,
    failure: failure ?? undefined,
    now: state.now(),
    deadline: record.executionExpiration,
  });
  const newRunId = decision.retry ? newId() : undefined;
  closeRun(
    state,
    WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
    {
      workflowExecutionFailedEventAttributes: {
        failure,
        retryState: decision.retry ? RetryState.RETRY_STATE_IN_PROGRESS : decision.state,
        workflowTaskCompletedEventId: long(workflowTaskCompletedEventId),
        newExecutionRunId: newRunId ?? '',
      },
    },
    newRunId,
  );
  if (decision.retry && newRunId !== undefined) {
    startRetryRun(services, state, { runId: newRunId, failure, intervalMs: decision.intervalMs });
  }
}

/** Ends a run whose timeout passed. A run timeout may be retried, an execution timeout ends the chain. */
export function timeOutRun(services: RunServices, state: MutableState): void {
  const { record } = state;
  const now = state.now();
  const failure: Failure = {
    message: 'workflow timeout',
    source: 'Server',
    timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE },
  };
  const executionOver = record.executionExpiration !== undefined && record.executionExpiration <= now;
  const decision = executionOver
    ? ({ retry: false, state: RetryState.RETRY_STATE_TIMEOUT } as const)
    : decideRetry({
        policy: record.retry,
        attempt: record.attempt,
        failure,
        now,
        deadline: record.executionExpiration,
      });
  const newRunId = decision.retry ? newId() : undefined;
  abandonWorkflowTask(state);
  closeRun(
    state,
    WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
    {
      workflowExecutionTimedOutEventAttributes: {
        retryState: decision.retry ? RetryState.RETRY_STATE_IN_PROGRESS : decision.state,
        newExecutionRunId: newRunId ?? '',
      },
    },
    newRunId,
  );
  if (decision.retry && newRunId !== undefined) {
    startRetryRun(services, state, { runId: newRunId, failure, intervalMs: decision.intervalMs });
  }
}
