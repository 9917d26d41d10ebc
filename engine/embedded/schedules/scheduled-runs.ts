import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';
import { newId } from '../primitives/ids.ts';
import {
  Failure,
  Payloads,
  ScheduleOverlapPolicy,
  WorkflowIdReusePolicy,
  fromEncodedOptional,
} from '../protocol/proto.ts';
import { jsonPayload } from '../protocol/values.ts';
import { terminateRun } from '../runs/close-run.ts';
import type { RunServices } from '../runs/create-run.ts';
import { requestCancel } from '../runs/signal.ts';
import { startRun } from '../runs/start-run.ts';
import { type StartValidation, validateStart } from '../runs/start-request.ts';
import type { BufferedStart, Schedule, ScheduleRef } from './schedule.ts';

/** What starting and ending the runs of schedules takes. */
export interface ScheduledRunServices extends Omit<StartValidation, 'runs'>, Pick<RunServices, 'runs'> {}

/** How the chain of runs that a schedule started has ended. */
export interface Outcome {
  /** A `WorkflowExecutionStatus`; 0 when nothing is known of the runs any more. */
  readonly status: number;
  readonly result?: temporal.api.common.v1.IPayloads | null;
  readonly failure?: temporal.api.failure.v1.IFailure | null;
}

function identity({ namespace, scheduleId }: ScheduleRef): string {
  return `temporal-scheduler-${namespace}-${scheduleId}`;
}

/**
 * Starts the run of an action within the current transaction. Its id ends with the nominal time.
 *
 * @throws RpcError when it cannot be started, for instance because the id is taken; then nothing has changed
 */
export function startScheduledRun(
  services: ScheduledRunServices,
  { ref, definition, state }: Schedule,
  start: BufferedStart,
): WorkflowExecutionRef {
  const action = definition.schedule.action?.startWorkflow ?? {};
  const nominal = `${new Date(start.nominal).toISOString().slice(0, 19)}Z`;
  const workflowId = `${action.workflowId ?? ''}-${nominal}`;
  const mayOverlap = start.overlap === ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL;
  const valid = validateStart(services, {
    namespace: ref.namespace,
    workflowId,
    workflowType: action.workflowType ?? null,
    taskQueue: action.taskQueue ?? null,
    input: action.input ?? null,
    workflowExecutionTimeout: action.workflowExecutionTimeout ?? null,
    workflowRunTimeout: action.workflowRunTimeout ?? null,
    workflowTaskTimeout: action.workflowTaskTimeout ?? null,
    retryPolicy: action.retryPolicy ?? null,
    memo: action.memo ?? null,
    header: action.header ?? null,
    userMetadata: action.userMetadata ?? null,
    priority: action.priority ?? null,
    identity: identity(ref),
    requestId: newId(),
    workflowIdReusePolicy: start.manual
      ? WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE
      : WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
    searchAttributes: {
      indexedFields: {
        ...action.searchAttributes?.indexedFields,
        TemporalScheduledStartTime: jsonPayload(JSON.stringify(nominal)),
        TemporalScheduledById: jsonPayload(JSON.stringify(ref.scheduleId)),
      },
    },
    ...(!mayOverlap && {
      lastCompletionResult: fromEncodedOptional(Payloads, state.lastCompletionResult),
      continuedFailure: fromEncodedOptional(Failure, state.continuedFailure),
    }),
  });
  return { workflowId, runId: startRun(services, valid).state.ref.runId };
}

/** Answers how the chain ended that begins with a run; undefined while it goes on. */
export function outcomeOf(
  runs: RunRegistry,
  namespace: string,
  first: WorkflowExecutionRef,
): Outcome | undefined {
  let state = currentOfChain(runs, namespace, first) ?? runs.peek({ namespace, ...first });
  // Another chain has the workflow id by now: this one is followed from its beginning.
  while (state && !state.isRunning && state.record.newRunId !== undefined) {
    state = runs.peek({ ...state.ref, runId: state.record.newRunId });
  }
  if (!state) return { status: 0 };
  if (state.isRunning) return undefined;
  const event = state.event(state.record.nextEventId - 1);
  return {
    status: state.record.status,
    result: event.workflowExecutionCompletedEventAttributes?.result ?? null,
    failure: event.workflowExecutionFailedEventAttributes?.failure ?? null,
  };
}

/** Ends a chain that is in the way of another start, within the current transaction. */
export function endScheduledRun(
  runs: RunRegistry,
  ref: ScheduleRef,
  first: WorkflowExecutionRef,
  how: 'cancel' | 'terminate',
): void {
  const found = currentOfChain(runs, ref.namespace, first);
  const state = found?.isRunning ? runs.edit(found.ref) : undefined;
  if (!state) return;
  const by = identity(ref);
  if (how === 'terminate') {
    terminateRun(state, { reason: 'terminated by schedule overlap policy', identity: by });
  } else {
    requestCancel(state, {
      identity: by,
      requestId: newId(),
      cause: 'cancelled by schedule overlap policy',
    });
  }
}

/** Answers the current run of a workflow id if it belongs to the chain. */
function currentOfChain(
  runs: RunRegistry,
  namespace: string,
  { workflowId, runId: firstRunId }: WorkflowExecutionRef,
): MutableState | undefined {
  const runId = runs.currentRunId(namespace, workflowId);
  const state = runId === undefined ? undefined : runs.peek({ namespace, workflowId, runId });
  return state?.record.firstRunId === firstRunId ? state : undefined;
}
