import type { temporal } from '@temporalio/proto';
import { pinnedVersion } from '../deployments/run-versioning.ts';
import { versionAttribute } from '../deployments/version.ts';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRecord } from '../mutable-state/record.ts';
import { jsonPayload } from '../protocol/values.ts';
import { Memo, ResetPoints, SearchAttributes, fromEncodedOptional } from '../protocol/proto.ts';

/**
 * What visibility knows about one run: the row that ListWorkflowExecutions shows. It is written whole, in the
 * transaction that changes the run, whenever one of its fields changes (start, upsert of search attributes or memo,
 * close).
 *
 * Times are nanoseconds since the epoch; the store truncates them to microseconds, as the server's stores do.
 */
export interface VisibilityRecord {
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
  readonly status: temporal.api.enums.v1.WorkflowExecutionStatus;
  readonly startTime: bigint;
  /** The start time plus the first task's back-off (start delay, retry), if there is one. */
  readonly executionTime: bigint;
  /** Is present when the run is closed, and only then. */
  readonly closeTime?: bigint;
  /** This figure and the next two are listed for closed runs only. */
  readonly historyLength?: number;
  readonly historySizeBytes?: number;
  readonly stateTransitionCount?: number;
  readonly taskQueue: string;
  readonly memo: Record<string, temporal.api.common.v1.IPayload>;
  /** The attributes by alias, custom and predefined ones, as `SearchAttributeRegistry.validate` returned them. */
  readonly searchAttributes: Record<string, temporal.api.common.v1.IPayload>;
  readonly parent?: WorkflowExecutionRef;
  /** The run at the top of the tree of children; the run itself when it has no parent. */
  readonly root: WorkflowExecutionRef;
}

type Fields = Record<string, temporal.api.common.v1.IPayload>;

/** Makes the record that ListWorkflowExecutions shows of a run. */
export function visibilityRecord(state: MutableState): VisibilityRecord {
  const { record, ref } = state;
  const { closeTime } = record;
  return {
    ...ref,
    workflowType: record.workflowType,
    status: state.shownStatus,
    startTime: nanos(record.startTime),
    executionTime: nanos(record.executionTime),
    ...(closeTime !== undefined && {
      closeTime: nanos(closeTime),
      historyLength: record.nextEventId - 1,
      historySizeBytes: record.historySizeBytes,
      stateTransitionCount: record.stateTransitions,
    }),
    taskQueue: record.taskQueue,
    memo: fromEncodedOptional(Memo, record.memo)?.fields ?? {},
    searchAttributes: visibleSearchAttributes(state),
    ...(record.parent && { parent: { workflowId: record.parent.workflowId, runId: record.parent.runId } }),
    root: record.root,
  };
}

/** Answers the run's own search attributes, the build ids of the workers that had it, and why it is paused. */
export function visibleSearchAttributes({ record, ref, pending }: MutableState): Fields {
  const fields: Fields = { ...fromEncodedOptional(SearchAttributes, record.searchAttributes)?.indexedFields };
  if (record.versioning !== undefined) Object.assign(fields, versioningAttributes(record));
  else if (record.lastBuildId !== undefined) {
    const { lastBuildId } = record;
    fields['BuildIds'] = keywords(['unversioned', ...(lastBuildId ? [`unversioned:${lastBuildId}`] : [])]);
  }
  const points = fromEncodedOptional(ResetPoints, record.resetPoints)?.points ?? [];
  const checksums = points.flatMap(({ binaryChecksum }) => binaryChecksum || []);
  if (checksums.length > 0) fields['BinaryChecksums'] = keywords(checksums);
  const paused = pauseInfo(record, ref.workflowId, pending);
  if (paused.length > 0) fields['TemporalPauseInfo'] = keywords(paused);
  return fields;
}

/** What is paused of a run: itself and why, and the types of its activities that are. */
function pauseInfo(
  { paused }: RunRecord,
  workflowId: string,
  { activities }: MutableState['pending'],
): string[] {
  const types = new Set<string>();
  for (const activity of activities.values()) if (activity.paused) types.add(activity.activityType);
  return [
    ...(paused ? [`Workflow:${workflowId}`] : []),
    ...(paused?.reason ? [`Reason:${paused.reason}`] : []),
    ...[...types].map((type) => `property:activityType=${type}`),
  ];
}

const keywords = (values: readonly string[]): Fields[string] =>
  jsonPayload(JSON.stringify(values), 'KeywordList');
const keyword = (value: string): Fields[string] => jsonPayload(JSON.stringify(value), 'Keyword');

/** The attributes of a run that versioned workers have had. */
function versioningAttributes(record: RunRecord): Fields {
  const used = record.versioning?.used ?? [];
  const pinned = pinnedVersion(record);
  const version = pinned ?? record.versioning?.version;
  const builds = used.map(({ buildId }) => `unversioned:${buildId}`);
  return {
    BuildIds: keywords([...(pinned ? [`pinned:${versionAttribute(pinned)}`] : []), ...builds]),
    ...(used.length > 0 && { TemporalUsedWorkerDeploymentVersions: keywords(used.map(versionAttribute)) }),
    ...(version && {
      TemporalWorkerDeployment: keyword(version.deployment),
      TemporalWorkerDeploymentVersion: keyword(versionAttribute(version)),
      TemporalWorkflowVersioningBehavior: keyword(pinned ? 'Pinned' : 'AutoUpgrade'),
    }),
  };
}

function nanos(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
