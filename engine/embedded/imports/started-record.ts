import type { HistoryEvent } from '../history/events.ts';
import { freshProgress } from '../mutable-state/fresh-progress.ts';
import type { ParentRecord, RunRecord } from '../mutable-state/record.ts';
import { newId } from '../primitives/ids.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { Priority, UserMetadata, WorkflowExecutionStatus, toEncoded } from '../protocol/proto.ts';
import { timestampMs, toMs, toNumber } from '../protocol/values.ts';
import { normaliseRetryPolicy } from '../runs/retry-policy.ts';

type Started = NonNullable<HistoryEvent['workflowExecutionStartedEventAttributes']>;

/** Makes the record of a run that has not gone on yet, by its first event. Its times are those of the event. */
export function startedRecord({ workflowId, runId }: RunRef, event: HistoryEvent): RunRecord {
  const started = event.workflowExecutionStartedEventAttributes ?? {};
  const startTime = timestampMs(event.eventTime) ?? 0;
  const executionTime = startTime + toMs(started.firstWorkflowTaskBackoff);
  const expiration = timestampMs(started.workflowExecutionExpirationTime) ?? 0;
  // Servers write the year 1 for "never".
  const executionExpiration = expiration > 0 ? expiration : undefined;
  const runTimeoutMs = toMs(started.workflowRunTimeout);
  const byRunTimeout = runTimeoutMs > 0 ? executionTime + runTimeoutMs : Infinity;
  const runExpiration = Math.min(byRunTimeout, executionExpiration ?? Infinity);
  const parent = parentOf(started);
  return {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    workflowType: started.workflowType?.name ?? '',
    taskQueue: started.taskQueue?.name ?? '',
    firstRunId: started.firstExecutionRunId || runId,
    originalRunId: started.originalExecutionRunId || runId,
    // The request that started it is not in its history.
    startRequestId: newId(),
    attempt: started.attempt || 1,
    startTime,
    executionTime,
    executionTimeoutMs: toMs(started.workflowExecutionTimeout),
    ...(executionExpiration !== undefined && { executionExpiration }),
    runTimeoutMs,
    ...(runExpiration < Infinity && { runExpiration }),
    taskTimeoutMs: toMs(started.workflowTaskTimeout),
    ...(started.retryPolicy && { retry: normaliseRetryPolicy(started.retryPolicy) }),
    ...(started.cronSchedule && { cron: started.cronSchedule }),
    ...(parent && { parent }),
    root: rootOf(started) ?? { workflowId, runId },
    ...(started.priority && { priority: toEncoded(Priority, started.priority) }),
    ...(event.userMetadata && { userMetadata: toEncoded(UserMetadata, event.userMetadata) }),
    ...freshProgress(),
  };
}

function parentOf(started: Started): ParentRecord | undefined {
  const { parentWorkflowExecution: parent, parentWorkflowNamespace: namespace } = started;
  if (!parent?.workflowId || !namespace) return undefined;
  return {
    namespace,
    workflowId: parent.workflowId,
    runId: parent.runId ?? '',
    initiatedEventId: toNumber(started.parentInitiatedEventId),
  };
}

function rootOf({ rootWorkflowExecution: root }: Started): RunRecord['root'] | undefined {
  return root?.workflowId ? { workflowId: root.workflowId, runId: root.runId ?? '' } : undefined;
}
