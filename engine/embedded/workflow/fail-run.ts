import type { temporal } from '@temporalio/proto';
import { newId } from '../ids.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { RetryState, TimeoutType, WorkflowExecutionStatus } from '../proto.ts';
import { long } from '../proto-values.ts';
import { abandonWorkflowTask, closeRun } from './close-run.ts';
import { startRetryRun } from './continue-run.ts';
import { decideRetry } from './retry-decision.ts';

type Failure = temporal.api.failure.v1.IFailure;

/** The workflow failed: ends the run, or this attempt of it when its retry policy allows another. */
export function failRun(
  kernel: Kernel,
  state: MutableState,
  failure: Failure | null,
  workflowTaskCompletedEventId: number,
): void {
  const { record } = state;
  const decision = decideRetry({
    policy: record.retry,
    attempt: record.attempt,
    failure: failure ?? undefined,
    now: kernel.now(),
    deadline: record.executionExpiration,
  });
  const newRunId = decision.retry ? newId() : undefined;
  closeRun(
    kernel,
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
    startRetryRun(kernel, state, { runId: newRunId, failure, intervalMs: decision.intervalMs });
  }
}

/** The run or execution timeout passed. A run timeout may be retried, an execution timeout ends the chain. */
export function timeOutRun(kernel: Kernel, state: MutableState): void {
  const { record } = state;
  const now = kernel.now();
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
    kernel,
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
    startRetryRun(kernel, state, { runId: newRunId, failure, intervalMs: decision.intervalMs });
  }
}
