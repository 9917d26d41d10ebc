import type { Kernel } from '../kernel.ts';
import { invalidArgument, notFound } from '../rpc/errors.ts';
import { decodeRunTaskToken } from '../task-token.ts';
import type { RunRef } from '../types.ts';
import { findRun } from '../workflow/find-run.ts';

/** A pending activity that a caller may speak for. */
export interface HeldActivity {
  readonly ref: RunRef;
  readonly scheduledEventId: number;
}

/** The activity a task token was given out for; NOT_FOUND when it is over or went to another worker. */
export function findHeldActivity(kernel: Kernel, taskToken: Uint8Array | null | undefined): HeldActivity {
  const token = decodeRunTaskToken(taskToken, 'activity');
  const state = kernel.runs.peek(token);
  if (!state) throw notFound(`workflow not found for ID: ${token.workflowId}`);
  if (!state.isRunning) throw notFound('workflow execution already completed');
  const activity = state.record.activities[token.scheduledEventId];
  if (activity?.startedTime === undefined || activity.fence !== token.fence) {
    throw notFound('invalid activityID or activity already timed out or invoking workflow is completed');
  }
  return { ref: state.ref, scheduledEventId: token.scheduledEventId };
}

/** The activity with this id in a run: how systems that never had the token complete one. */
export function findActivityById(
  kernel: Kernel,
  request: {
    namespace?: string | null;
    workflowId?: string | null;
    runId?: string | null;
    activityId?: string | null;
  },
): HeldActivity {
  const { workflowId, runId, activityId } = request;
  const state = findRun(kernel, request.namespace, { workflowId: workflowId ?? '', runId: runId ?? '' });
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
