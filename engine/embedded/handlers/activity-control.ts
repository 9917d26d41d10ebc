import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { applyOptions, pauseActivity, resetActivity, unpauseActivity } from '../activity-tasks/control.ts';
import { activityOptions, changeOptions, restoreOptions } from '../activity-tasks/options.ts';
import { type ActivitySelection, selectActivities } from '../activity-tasks/select.ts';
import { checkPriority } from '../protocol/priority.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import { toMs } from '../protocol/values.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { standaloneControl } from './standalone-control.ts';
import type { StandaloneServices } from './standalone-activities.ts';
import { type RunLookup, editOpenRun, findRun } from '../runs/find-run.ts';

interface Selection extends ActivitySelection {
  readonly namespace?: string | null;
  readonly execution?: { readonly workflowId?: string | null; readonly runId?: string | null } | null;
}

type PauseRequest = Pick<temporal.api.workflowservice.v1.IPauseActivityRequest, 'identity' | 'reason'>;
type ResetRequest = Pick<
  temporal.api.workflowservice.v1.IResetActivityRequest,
  'keepPaused' | 'resetHeartbeat' | 'jitter' | 'restoreOriginalOptions'
>;
type UpdateRequest = Pick<
  temporal.api.workflowservice.v1.IUpdateActivityOptionsRequest,
  'updateMask' | 'restoreOriginal' | 'activityOptions'
>;
type UpdateResponse = temporal.api.workflowservice.v1.IUpdateActivityOptionsResponse;

/** Names an activity as the newer methods do. */
interface ActivityRequest {
  readonly namespace?: string | null;
  readonly workflowId?: string | null;
  readonly runId?: string | null;
  readonly activityId?: string | null;
}

type Change = (state: MutableState, activity: ActivityRecord) => void;

const noCheck = (): void => {};

/** The methods by which an operator holds, frees and changes activities of a running workflow. */
export function activityControlHandlers(lookup: RunLookup & StandaloneServices): WorkflowHandlers {
  const standalone = standaloneControl(lookup);
  /** Changes the activities that a request means; `check` looks at the rest of it once its run is found. */
  const change = (selection: Selection, check: () => void, each: Change): ActivityRecord => {
    lookup.namespaces.get(selection.namespace ?? '');
    if (!selection.execution?.workflowId) throw invalidArgument('WorkflowId is not set on request.');
    if (!selection.id && !selection.type && !selection.all) {
      throw invalidArgument('Either Activity.Id or Activity.Type should be set on request.');
    }
    const found = findRun(lookup, selection.namespace, selection.execution);
    return lookup.runs.transact(() => {
      const state = editOpenRun(lookup.runs, found);
      check();
      const chosen = choose(state, selection);
      for (const activity of chosen) each(state, activity);
      return chosen[0];
    });
  };
  const pause = (request: PauseRequest, selection: Selection): void => {
    const by = { identity: request.identity ?? '', reason: request.reason ?? '' };
    change(selection, noCheck, (state, activity) => pauseActivity(state, activity, by));
  };
  const reset = (request: ResetRequest, selection: Selection): void => {
    const options = {
      keepPaused: request.keepPaused ?? false,
      resetHeartbeat: request.resetHeartbeat ?? false,
      jitterMs: toMs(request.jitter),
    };
    change(selection, noCheck, (state, activity) => {
      if (request.restoreOriginalOptions) restoreOptions(state, activity);
      resetActivity(state, activity, options);
    });
  };
  const update = (request: UpdateRequest, selection: Selection): UpdateResponse => {
    const paths = request.updateMask?.paths ?? [];
    if (request.restoreOriginal && request.updateMask) {
      throw invalidArgument('Both UpdateMask and RestoreOriginal are provided');
    }
    const checkChange = (): void => {
      if (request.restoreOriginal) return;
      if (!request.activityOptions) throw invalidArgument('ActivityOptions are not provided');
      checkPriority(request.activityOptions.priority);
    };
    const activity = change(selection, checkChange, (state, one) => {
      if (!request.restoreOriginal && !request.updateMask) {
        throw invalidArgument('UpdateMask is not provided');
      }
      if (request.restoreOriginal) restoreOptions(state, one);
      else changeOptions(state, one, request.activityOptions ?? {}, paths);
      applyOptions(state, one);
    });
    return { activityOptions: activityOptions(activity) };
  };
  return {
    PauseActivity: (request) => {
      pause(request, request);
      return {};
    },
    UnpauseActivity: (request) => {
      const options = {
        resetAttempts: request.resetAttempts ?? false,
        resetHeartbeat: request.resetHeartbeat ?? false,
        jitterMs: toMs(request.jitter),
      };
      change({ ...request, all: request.unpauseAll ?? false }, noCheck, (state, activity) =>
        unpauseActivity(state, activity, options),
      );
      return {};
    },
    ResetActivity: (request) => {
      reset(request, { ...request, all: request.matchAll ?? false });
      return {};
    },
    UpdateActivityOptions: (request) => update(request, { ...request, all: request.matchAll ?? false }),
    // The same for one activity, as the CLI asks since activities may stand by themselves.
    PauseActivityExecution: (request) => {
      if (!request.workflowId) return standalone.pause(request);
      pause(request, ofWorkflow(request));
      return {};
    },
    UnpauseActivityExecution: (request) => {
      if (!request.workflowId) return standalone.unpause(request);
      const options = { resetAttempts: false, resetHeartbeat: false, jitterMs: toMs(request.jitter) };
      change(ofWorkflow(request), noCheck, (state, activity) => unpauseActivity(state, activity, options));
      return {};
    },
    ResetActivityExecution: (request) => {
      if (!request.workflowId) return standalone.reset(request);
      reset(request, ofWorkflow(request));
      return {};
    },
    UpdateActivityExecutionOptions: (request) =>
      request.workflowId ? update(request, ofWorkflow(request)) : standalone.update(request),
  };
}

/** Names the activity of a workflow that a request means. */
function ofWorkflow({ namespace, workflowId, runId, activityId }: ActivityRequest): Selection {
  return {
    namespace: namespace ?? '',
    execution: { workflowId: workflowId ?? '', runId: runId ?? '' },
    id: activityId ?? '',
  };
}

/** Finds at least one; throws NOT_FOUND otherwise. */
function choose(state: MutableState, selection: Selection): [ActivityRecord, ...ActivityRecord[]] {
  const [first, ...rest] = selectActivities(state, selection);
  if (first) return [first, ...rest];
  throw notFound(
    "Can't find pending activity with such ID. Invalid activityID or activity already completed",
  );
}
