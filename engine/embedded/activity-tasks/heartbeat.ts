import type { temporal } from '@temporalio/proto';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { Payloads, toEncoded } from '../protocol/proto.ts';
import type { StartedActivity } from './find.ts';

type Response = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatResponse;

/** Records that the worker is alive, keeps its details for the next attempt, and answers whether it has to stop. */
export function recordHeartbeat(
  runs: RunRegistry,
  started: StartedActivity,
  details: temporal.api.common.v1.IPayloads | null | undefined,
): Response {
  const cancelRequested = runs.transact(() => {
    const state = runs.edit(started.ref);
    const activity = state?.record.activities[started.scheduledEventId];
    if (!activity) return false;
    activity.heartbeatTime = state.now();
    if (details) activity.heartbeatDetails = toEncoded(Payloads, details);
    return activity.cancelRequestedEventId !== undefined;
  });
  return cancelRequested ? { cancelRequested } : {};
}
