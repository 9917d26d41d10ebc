import type { temporal } from '@temporalio/proto';
import { applyOptions, resetActivity, unpauseActivity } from '../activity-tasks/control.ts';
import { changeOptions, restoreOptions } from '../activity-tasks/options.ts';
import { selectActivities } from '../activity-tasks/select.ts';
import { validOverride } from '../deployments/check-override.ts';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import { setOverride } from '../deployments/set-override.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { newId } from '../primitives/ids.ts';
import { ResetPoints, ResetType, fromEncodedOptional } from '../protocol/proto.ts';
import { failedPrecondition } from '../protocol/rpc-error.ts';
import { toMs, toNumber } from '../protocol/values.ts';
import { postOperations } from '../resets/post-operations.ts';
import { reappliedOf } from '../resets/reapply-events.ts';
import { resetRun } from '../resets/reset-run.ts';
import { terminateRun } from '../runs/close-run.ts';
import { requestCancel, signalRun } from '../runs/signal.ts';

export type BatchRequest = temporal.api.workflowservice.v1.IStartBatchOperationRequest;
/** What performing batch operations takes. */
export interface BatchServices {
  readonly runs: RunRegistry;
  readonly deployments: DeploymentRegistry;
}

type ResetOperation = temporal.api.batch.v1.IBatchOperationReset;

/** Who asked for a batch operation. */
export function batchIdentity(request: BatchRequest): string {
  const operation =
    request.terminationOperation ??
    request.signalOperation ??
    request.cancellationOperation ??
    request.deletionOperation ??
    request.resetOperation ??
    request.updateWorkflowOptionsOperation ??
    activityOperation(request);
  return operation?.identity ?? '';
}

interface ActivityOperation {
  readonly identity?: string | null;
  readonly type?: string | null;
  readonly matchAll?: boolean | null;
  /** Which of the two fields above is set, if one is. */
  readonly activity?: 'type' | 'matchAll';
}

/** The part of the request that is about activities of the workflows, if it is. */
export function activityOperation(request: BatchRequest): ActivityOperation | null {
  return (
    request.unpauseActivitiesOperation ??
    request.resetActivitiesOperation ??
    request.updateActivityOptionsOperation ??
    null
  );
}

/** Whether the operation concerns open runs alone. */
export function isForOpenRuns(request: BatchRequest): boolean {
  return Boolean(
    request.terminationOperation ??
    request.signalOperation ??
    request.cancellationOperation ??
    request.updateWorkflowOptionsOperation ??
    activityOperation(request),
  );
}

/**
 * Does to one run what a batch operation is for, within a transaction. A run that is closed already needs nothing more;
 * the deletion itself is left to the caller.
 */
export function performOn(
  { runs, deployments }: BatchServices,
  state: MutableState,
  request: BatchRequest,
): void {
  const identity = batchIdentity(request);
  const { signalOperation: signal, resetOperation: reset } = request;
  if (reset) {
    resetByOptions({ runs, deployments }, state, reset, request.reason ?? '');
    return;
  }
  if (!state.isRunning) return;
  if (activityOperation(request)) {
    changeActivities(state, request);
  } else if (request.updateWorkflowOptionsOperation) {
    const { namespace } = state.ref;
    const given = request.updateWorkflowOptionsOperation.workflowExecutionOptions?.versioningOverride;
    setOverride(state, validOverride(deployments, { namespace, taskQueue: state.record.taskQueue }, given));
  } else if (signal) {
    signalRun(state, {
      name: signal.signal ?? '',
      input: signal.input ?? null,
      header: signal.header ?? null,
      identity,
      requestId: newId(),
    });
  } else if (request.cancellationOperation) {
    requestCancel(state, { identity, requestId: newId() });
  } else {
    const details = request.terminationOperation?.details ?? null;
    terminateRun(state, { reason: request.reason ?? '', identity, details });
  }
}

/** Changes the activities of a run that the operation means; a run that has none of them needs nothing. */
function changeActivities(state: MutableState, request: BatchRequest): void {
  const operation = activityOperation(request);
  const selection = { type: operation?.type ?? '', all: operation?.matchAll ?? false };
  const { unpauseActivitiesOperation: unpause, resetActivitiesOperation: reset } = request;
  for (const activity of selectActivities(state, selection)) {
    if (unpause) {
      unpauseActivity(state, activity, {
        resetAttempts: unpause.resetAttempts ?? false,
        resetHeartbeat: unpause.resetHeartbeat ?? false,
        jitterMs: toMs(unpause.jitter),
      });
    } else if (reset) {
      if (reset.restoreOriginalOptions) restoreOptions(state, activity);
      resetActivity(state, activity, {
        keepPaused: reset.keepPaused ?? false,
        resetHeartbeat: reset.resetHeartbeat ?? false,
        jitterMs: toMs(reset.jitter),
      });
    } else {
      const update = request.updateActivityOptionsOperation ?? {};
      if (update.restoreOriginal) restoreOptions(state, activity);
      else changeOptions(state, activity, update.activityOptions ?? {}, update.updateMask?.paths ?? []);
      applyOptions(state, activity);
    }
  }
}

function resetByOptions(
  services: BatchServices,
  state: MutableState,
  { options, resetType, resetReapplyType, postResetOperations }: ResetOperation,
  reason: string,
): void {
  const { runs, deployments } = services;
  const { namespace } = state.ref;
  const { taskQueue } = state.record;
  const prepare = postOperations(deployments, { namespace, taskQueue }, postResetOperations);
  const point = pointOf(state, options, resetType);
  const base = runs.edit({ ...state.ref, runId: point.runId });
  if (!base) throw failedPrecondition(`run ${point.runId} is gone`);
  resetRun(services, base, {
    finishEventId: point.eventId,
    reason,
    requestId: newId(),
    reapplied: reappliedOf(options?.resetReapplyType ?? resetReapplyType, options?.resetReapplyExcludeTypes),
    prepare,
  });
}

function pointOf(
  state: MutableState,
  options: ResetOperation['options'],
  resetType: number | null | undefined,
): { runId: string; eventId: number } {
  const { runId } = state.ref;
  if (options?.buildId) {
    const points = fromEncodedOptional(ResetPoints, state.record.resetPoints)?.points ?? [];
    const point = points.find(({ buildId }) => buildId === options.buildId);
    if (!point) throw failedPrecondition("can't find reset point for BuildId");
    return { runId: point.runId || runId, eventId: toNumber(point.firstWorkflowTaskCompletedId) };
  }
  const eventId = toNumber(options?.workflowTaskId);
  if (eventId > 0) return { runId, eventId };
  const isFirst = options?.firstWorkflowTask || resetType === ResetType.RESET_TYPE_FIRST_WORKFLOW_TASK;
  return { runId, eventId: taskEventId(state, Boolean(isFirst)) };
}

const PAGE_EVENTS = 1000;

/** Finds the end of the first or the last workflow task that was completed, or else the start of one that was not. */
function taskEventId(state: MutableState, isFirst: boolean): number {
  let completed: number | undefined;
  let scheduled: number | undefined;
  for (let next: number | undefined = 1; next !== undefined;) {
    const page = state.readEvents(next, PAGE_EVENTS);
    for (const event of page.events) {
      const id = toNumber(event.eventId);
      if (event.workflowTaskCompletedEventAttributes) {
        if (isFirst) return id;
        completed = id;
      }
      if (event.workflowTaskScheduledEventAttributes && !(isFirst && scheduled)) scheduled = id + 1;
    }
    next = page.nextEventId;
  }
  const found = completed ?? scheduled;
  if (found === undefined) throw failedPrecondition('unable to find any scheduled or completed task');
  return found;
}
