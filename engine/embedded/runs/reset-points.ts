import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import { type EncodedMessage, ResetPoints, fromEncodedOptional, toEncoded } from '../protocol/proto.ts';
import { long, timestamp } from '../protocol/values.ts';

/** How many points are kept for a chain of runs; the oldest are removed first. */
const KEPT = 20;

/** What a worker that completes a task says that it is; nothing of either by default. */
export interface WorkerBuild {
  readonly buildId: string;
  /** What SDKs said before there were build ids. */
  readonly binaryChecksum: string;
}

/** Records the build of the worker that completed a task. Where each first did so is a point to reset to for this chain. */
export function recordBuild(
  state: MutableState,
  build: WorkerBuild,
  workflowTaskCompletedEventId: number,
): void {
  const { record } = state;
  if (addResetPoint(state, build, workflowTaskCompletedEventId) || record.lastBuildId !== build.buildId) {
    record.lastBuildId = build.buildId;
    state.visibilityChanged = true;
  }
}

function addResetPoint(
  state: MutableState,
  { buildId, binaryChecksum }: WorkerBuild,
  workflowTaskCompletedEventId: number,
): boolean {
  const { record, ref } = state;
  const points = fromEncodedOptional(ResetPoints, record.resetPoints)?.points ?? [];
  const isKnown = points.some(
    (point) => (point.buildId ?? '') === buildId && (point.binaryChecksum ?? '') === binaryChecksum,
  );
  if (isKnown) return false;
  const point = {
    buildId,
    binaryChecksum,
    runId: ref.runId,
    firstWorkflowTaskCompletedId: long(workflowTaskCompletedEventId),
    createTime: timestamp(state.now()),
    resettable: true,
  };
  record.resetPoints = toEncoded(ResetPoints, { points: [...points, point].slice(-KEPT) });
  return true;
}

/** Makes the points that the next run of the chain inherits: those of this run, which ends, expire with its retention. */
export function expiringResetPoints(
  namespaces: NamespaceRegistry,
  state: MutableState,
): { resetPoints?: EncodedMessage } {
  const points = fromEncodedOptional(ResetPoints, state.record.resetPoints)?.points ?? [];
  if (points.length === 0) return {};
  const expireTime = timestamp(state.now() + namespaces.get(state.ref.namespace).retentionMs);
  const kept = points.map((point) => (point.runId === state.ref.runId ? { ...point, expireTime } : point));
  const resetPoints = toEncoded(ResetPoints, { points: kept });
  state.record.resetPoints = resetPoints;
  return { resetPoints };
}
