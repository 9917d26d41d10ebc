import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import { type EncodedMessage, ResetPoints, fromEncodedOptional, toEncoded } from '../protocol/proto.ts';
import { long, timestamp } from '../protocol/values.ts';

/** How many points are kept for a chain of runs; the oldest are removed first. */
const KEPT = 20;

/** Records where a worker build first completed a task of this chain: clients list these as points to reset to. */
export function addResetPoint(
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
    createTime: timestamp(state.now()),
    resettable: true,
  };
  record.resetPoints = toEncoded(ResetPoints, { points: [...points, point].slice(-KEPT) });
}

/** Makes the points that the next run of the chain inherits: those of this run expire with its retention. */
export function expiringResetPoints(
  namespaces: NamespaceRegistry,
  state: MutableState,
): { resetPoints?: EncodedMessage } {
  const points = fromEncodedOptional(ResetPoints, state.record.resetPoints)?.points ?? [];
  if (points.length === 0) return {};
  const expireTime = timestamp(state.now() + namespaces.get(state.ref.namespace).retentionMs);
  const kept = points.map((point) => (point.runId === state.ref.runId ? { ...point, expireTime } : point));
  return { resetPoints: toEncoded(ResetPoints, { points: kept }) };
}
