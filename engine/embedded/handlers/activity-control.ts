import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { applyOptions, pauseActivity, resetActivity, unpauseActivity } from '../activity-tasks/control.ts';
import { activityOptions, changeOptions, restoreOptions } from '../activity-tasks/options.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import { toMs } from '../protocol/values.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { type RunLookup, editOpenRun, findRun } from '../runs/find-run.ts';

/** Which activities of a run a request means: one by its id, or all of a type, or all. */
interface Selection {
  readonly namespace?: string | null;
  readonly execution?: { readonly workflowId?: string | null; readonly runId?: string | null } | null;
  readonly id?: string | null;
  readonly type?: string | null;
  readonly all?: boolean | null;
}

type Change = (state: MutableState, activity: ActivityRecord) => void;

/** The methods by which an operator holds, frees and changes activities of a running workflow. */
export function activityControlHandlers(lookup: RunLookup): WorkflowHandlers {
  const change = (selection: Selection, each: Change): ActivityRecord => {
    lookup.namespaces.get(selection.namespace ?? '');
    if (!selection.id && !selection.type && !selection.all) {
      throw invalidArgument('Either Activity.Id or Activity.Type should be set on request.');
    }
    const found = findRun(lookup, selection.namespace, selection.execution);
    return lookup.runs.transact(() => {
      const state = editOpenRun(lookup.runs, found);
      const chosen = choose(state, selection);
      for (const activity of chosen) each(state, activity);
      return chosen[0];
    });
  };
  return {
    PauseActivity: (request) => {
      const by = { identity: request.identity ?? '', reason: request.reason ?? '' };
      change(request, (state, activity) => pauseActivity(state, activity, by));
      return {};
    },
    UnpauseActivity: (request) => {
      const options = {
        resetAttempts: request.resetAttempts ?? false,
        resetHeartbeat: request.resetHeartbeat ?? false,
        jitterMs: toMs(request.jitter),
      };
      change({ ...request, all: request.unpauseAll ?? false }, (state, activity) =>
        unpauseActivity(state, activity, options),
      );
      return {};
    },
    ResetActivity: (request) => {
      const options = {
        keepPaused: request.keepPaused ?? false,
        resetHeartbeat: request.resetHeartbeat ?? false,
        jitterMs: toMs(request.jitter),
      };
      change({ ...request, all: request.matchAll ?? false }, (state, activity) => {
        if (request.restoreOriginalOptions) restoreOptions(state, activity);
        resetActivity(state, activity, options);
      });
      return {};
    },
    UpdateActivityOptions: (request) => {
      const paths = request.updateMask?.paths ?? [];
      if (request.restoreOriginal && request.updateMask) {
        throw invalidArgument('Both UpdateMask and RestoreOriginal are provided');
      }
      if (!request.restoreOriginal && !request.updateMask)
        throw invalidArgument('UpdateMask is not provided');
      const activity = change({ ...request, all: request.matchAll ?? false }, (state, one) => {
        if (request.restoreOriginal) restoreOptions(state, one);
        else changeOptions(state, one, request.activityOptions ?? {}, paths);
        applyOptions(state, one);
      });
      return { activityOptions: activityOptions(activity) };
    },
  };
}

/** Finds at least one; throws NOT_FOUND otherwise. */
function choose(state: MutableState, { id, type, all }: Selection): [ActivityRecord, ...ActivityRecord[]] {
  const { activities } = state.pending;
  const [first, ...rest] = [...activities.values()]
    .filter((activity) => all || (id ? activity.activityId === id : activity.activityType === type))
    .flatMap(({ scheduledEventId }) => activities.edit(scheduledEventId) ?? []);
  if (first) return [first, ...rest];
  throw notFound(
    "Can't find pending activity with such ID. Invalid activityID or activity already completed",
  );
}
