import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../kernel.ts';
import { Payloads, toEncoded } from '../proto.ts';
import type { HeldActivity } from './find.ts';

type Response = temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatResponse;

/** The worker is alive: keeps its details for the next attempt, and tells it whether to stop. */
export function recordHeartbeat(
  kernel: Kernel,
  held: HeldActivity,
  details: temporal.api.common.v1.IPayloads | null | undefined,
): Response {
  const cancelRequested = kernel.runs.transact(() => {
    const activity = kernel.runs.edit(held.ref)?.record.activities[held.scheduledEventId];
    if (!activity) return false;
    activity.heartbeatTime = kernel.now();
    if (details) activity.heartbeatDetails = toEncoded(Payloads, details);
    return activity.cancelRequestedEventId !== undefined;
  });
  return cancelRequested ? { cancelRequested } : {};
}
