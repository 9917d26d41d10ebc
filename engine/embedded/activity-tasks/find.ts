import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import { decodeRunTaskToken } from '../protocol/task-token.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { type RunLookup, findRun } from '../runs/find-run.ts';

/** Names a started activity of a run. */
export interface StartedActivity {
  readonly ref: RunRef;
  readonly scheduledEventId: number;
}

/** Finds the activity of a task token; throws NOT_FOUND when it is over or another worker has it. */
export function findActivityByToken(
  runs: RunRegistry,
  taskToken: Uint8Array | null | undefined,
): StartedActivity {
  const token = decodeRunTaskToken(taskToken, 'activity');
  const state = runs.peek(token);
  if (!state) throw notFound(`workflow not found for ID: ${token.workflowId}`);
  if (!state.isRunning) throw notFound('workflow execution already completed');
  const activity = state.record.activities[token.scheduledEventId];
  if (activity?.startedTime === undefined || activity.fence !== token.fence) {
    throw notFound('invalid activityID or activity already timed out or invoking workflow is completed');
  }
  return { ref: state.ref, scheduledEventId: token.scheduledEventId };
}

/** Finds the activity with this id in a run, for those who complete an activity without its task token. */
export function findActivityById(
  lookup: RunLookup,
  request: {
    namespace?: string | null;
    workflowId?: string | null;
    runId?: string | null;
    activityId?: string | null;
  },
): StartedActivity {
  const { workflowId, runId, activityId } = request;
  const state = findRun(lookup, request.namespace, { workflowId: workflowId ?? '', runId: runId ?? '' });
  if (!activityId) throw invalidArgument('activityID cannot be empty');
  if (!state.isRunning) throw notFound('workflow execution already completed');
  const activity = Object.values(state.record.activities).find((one) => one.activityId === activityId);
  if (activity?.startedTime === undefined) {
    throw notFound(
      `cannot find pending activity with ActivityID ${activityId}, check workflow execution history for more details`,
    );
  }
  return { ref: state.ref, scheduledEventId: activity.scheduledEventId };
}
