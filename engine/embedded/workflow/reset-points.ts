import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { type EncodedMessage, ResetPoints, fromEncodedOptional, toEncoded } from '../proto.ts';
import { long, timestamp } from '../proto-values.ts';

/** Points kept for a chain of runs; older ones go first. */
const KEPT = 20;

/** Remembers where a worker build first completed a task of this chain: clients list these as points to go back to. */
export function addResetPoint(
  kernel: Kernel,
  state: MutableState,
  buildId: string,
  workflowTaskCompletedEventId: number,
): void {
  const { record, ref } = state;
  const points = fromEncodedOptional(ResetPoints, record.resetPoints)?.points ?? [];
  if (points.some((point) => point.buildId === buildId)) return;
  const point = {
    buildId,
    runId: ref.runId,
    firstWorkflowTaskCompletedId: long(workflowTaskCompletedEventId),
    createTime: timestamp(kernel.now()),
    resettable: true,
  };
  record.resetPoints = toEncoded(ResetPoints, { points: [...points, point].slice(-KEPT) });
}

/** The points that the next run of the chain inherits: those of this run end with its retention. */
export function expiringResetPoints(kernel: Kernel, state: MutableState): { resetPoints?: EncodedMessage } {
  const points = fromEncodedOptional(ResetPoints, state.record.resetPoints)?.points ?? [];
  if (points.length === 0) return {};
  const expireTime = timestamp(kernel.now() + kernel.namespaces.get(state.ref.namespace).retentionMs);
  const kept = points.map((point) => (point.runId === state.ref.runId ? { ...point, expireTime } : point));
  return { resetPoints: toEncoded(ResetPoints, { points: kept }) };
}
