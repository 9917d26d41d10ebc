import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRecord, VersioningRecord } from '../mutable-state/record.ts';
import {
  ContinueAsNewVersioningBehavior,
  PinnedOverrideBehavior,
  TaskQueueType,
  VersioningBehavior,
} from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import type { DeploymentRegistry } from './deployment-registry.ts';
import type { VersionRef } from '../primitives/version-ref.ts';
import { isSameVersion, versionMessage, versionOf, versionText } from './version.ts';

type Override = temporal.api.workflow.v1.IVersioningOverride;
type StartedAttributes = temporal.api.history.v1.IWorkflowExecutionStartedEventAttributes;
type Info = temporal.api.workflow.v1.IWorkflowExecutionVersioningInfo;

const { VERSIONING_BEHAVIOR_PINNED: PINNED, VERSIONING_BEHAVIOR_AUTO_UPGRADE: AUTO_UPGRADE } =
  VersioningBehavior;
const { CONTINUE_AS_NEW_VERSIONING_BEHAVIOR_USE_RAMPING_VERSION: USE_RAMPING_VERSION } =
  ContinueAsNewVersioningBehavior;
const WORKFLOW = TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
const ACTIVITY = TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;

/** The version to which a run is pinned, by its own code, by an override, or by where it comes from. */
export function pinnedVersion({ versioning }: RunRecord): VersionRef | undefined {
  if (versioning === undefined) return undefined;
  const { override, behavior, version, inherited } = versioning;
  if (override !== undefined) return override.pinned;
  if (behavior === PINNED) return version;
  return version === undefined ? inherited : undefined;
}

/** The version whose workers get a run's workflow tasks and queries. */
export function workflowTarget(
  deployments: DeploymentRegistry,
  { ref, record }: Pick<MutableState, 'ref' | 'record'>,
): VersionRef | undefined {
  const { namespace, workflowId } = ref;
  const { versioning, taskQueue } = record;
  // Until its first task is completed.
  const ramped = versioning?.initial === USE_RAMPING_VERSION && record.lastStartedEventId === 0;
  return (
    pinnedVersion(record) ?? deployments.route(namespace, taskQueue, WORKFLOW, workflowId, { ramped }).version
  );
}

/** The version whose workers get a run's activities of a queue: the run's own where that serves the queue. */
export function activityTarget(
  deployments: DeploymentRegistry,
  { ref, record }: Pick<MutableState, 'ref' | 'record'>,
  queue: string,
): VersionRef | undefined {
  const pinned = pinnedVersion(record);
  if (pinned !== undefined && deployments.serves(ref.namespace, pinned, queue, ACTIVITY)) return pinned;
  return deployments.route(ref.namespace, queue, ACTIVITY, ref.workflowId).version;
}

/** Whether a run is pinned to another version than new runs go to, which its worker is told with its task. */
export function isTargetChanged(
  deployments: DeploymentRegistry,
  { ref, record }: Pick<MutableState, 'ref' | 'record'>,
): boolean {
  const { versioning } = record;
  if (versioning?.override !== undefined || versioning?.behavior !== PINNED) return false;
  const { version } = deployments.route(ref.namespace, record.taskQueue, WORKFLOW, ref.workflowId);
  return !isSameVersion(version, versioning.version);
}

/** Records what a worker that completed a task is and how its workflow is versioned. */
export function recordVersioning(
  deployments: DeploymentRegistry,
  state: MutableState,
  version: VersionRef | undefined,
  behavior: number,
): void {
  const { record, ref } = state;
  const before = record.versioning;
  if (version === undefined) {
    if (before === undefined) return;
    const { override, used } = before;
    record.versioning = { ...(override && { override }), used };
    state.visibilityChanged = true;
    return;
  }
  const used = before?.used ?? [];
  const isUsed = used.some((each) => isSameVersion(each, version));
  if (before?.behavior === behavior && isSameVersion(before.version, version) && isUsed) return;
  const routed = deployments.route(ref.namespace, record.taskQueue, WORKFLOW, ref.workflowId);
  // A worker gets a revision with its version, and keeps it while it is pinned there.
  const revision = isSameVersion(routed.version, version) ? routed.revision : (before?.revision ?? 0);
  record.versioning = {
    behavior,
    version,
    revision,
    ...(before?.override && { override: before.override }),
    ...(before?.initial && { initial: before.initial }),
    used: isUsed ? used : [...used, version],
  };
  state.visibilityChanged = true;
}

/** What a run that this one starts takes over from it: the version that it is pinned to, or where it would go on from. */
export interface InheritedVersioning {
  readonly pinned?: VersionRef;
  readonly override?: VersionRef;
  readonly upgradesFrom?: { readonly version: VersionRef; readonly revision: number };
  /** The ContinueAsNewVersioningBehavior that the run before it asked for. */
  readonly initial?: number;
}

/**
 * Finds what a child, or a run that continues this one, takes over; only a version that serves its queue is. With `initial`, a
 * ContinueAsNewVersioningBehavior, the next run leaves the version that this one is pinned to by its own code.
 */
export function inheritedVersioning(
  deployments: DeploymentRegistry,
  { ref, record }: Pick<MutableState, 'ref' | 'record'>,
  queue: string,
  initial = 0,
): InheritedVersioning {
  const pinned = pinnedVersion(record);
  const { override, behavior, version, revision = 0 } = record.versioning ?? {};
  if (pinned !== undefined) {
    if (!deployments.serves(ref.namespace, pinned, queue, WORKFLOW)) return {};
    const kept = override && { override: pinned };
    if (initial === 0) return { pinned, ...kept };
    return { upgradesFrom: { version: pinned, revision }, initial, ...kept };
  }
  if (behavior !== AUTO_UPGRADE || version === undefined) return {};
  return { upgradesFrom: { version, revision }, ...(initial && { initial }) };
}

/**
 * Finds what the next attempt of a run takes over. A run that was pinned by its own code alone is tried again where new runs go; one
 * that began pinned, or that an operator has pinned, stays there.
 */
export function retriedVersioning(
  { record }: Pick<MutableState, 'record'>,
  started: StartedAttributes | null | undefined,
): InheritedVersioning {
  const { override, behavior, version, revision = 0, initial } = record.versioning ?? {};
  const pinned = pinnedVersion(record);
  if (pinned !== undefined) {
    const isInherited = versionOf(started?.inheritedPinnedVersion) !== undefined;
    return { ...(isInherited && { pinned }), ...(override && { override: pinned }) };
  }
  const isUpgraded = override !== undefined || behavior === AUTO_UPGRADE;
  if (!isUpgraded || version === undefined || revision === 0) return {};
  return { upgradesFrom: { version, revision }, ...(initial && { initial }) };
}

/** Finds what the next run of a cron schedule takes over: the version to which an operator has pinned this one. */
export function scheduledVersioning({ record }: Pick<MutableState, 'record'>): InheritedVersioning {
  const pinned = record.versioning?.override?.pinned;
  return pinned === undefined ? {} : { override: pinned };
}

/** What a run's record says of its versioning until its first task is completed; undefined of a run that has none. */
export function initialVersioning(
  override: VersioningRecord['override'],
  { pinned, upgradesFrom, initial }: InheritedVersioning,
): VersioningRecord | undefined {
  if (!override && !pinned && !upgradesFrom) return undefined;
  return {
    ...(override && { override }),
    ...(pinned && { inherited: pinned }),
    ...(upgradesFrom && { behavior: AUTO_UPGRADE, ...upgradesFrom }),
    ...(initial && { initial }),
    used: [],
  };
}

/** What the first event of a run tells of its versioning. */
export function startedVersioning(
  override: VersioningRecord['override'],
  { pinned, upgradesFrom, initial }: InheritedVersioning,
): Pick<StartedAttributes, 'versioningOverride' | 'inheritedPinnedVersion' | 'inheritedAutoUpgradeInfo'> {
  return {
    ...(override && { versioningOverride: overrideMessage(override) }),
    ...(pinned && { inheritedPinnedVersion: versionMessage(pinned) }),
    ...(upgradesFrom && {
      inheritedAutoUpgradeInfo: {
        sourceDeploymentVersion: versionMessage(upgradesFrom.version),
        ...(upgradesFrom.revision > 0 && { sourceDeploymentRevisionNumber: long(upgradesFrom.revision) }),
        ...(initial && { continueAsNewInitialVersioningBehavior: initial }),
      },
    }),
  };
}

/** Reads an override in either form of the API; undefined of none. */
export function readOverride(override: Override | null | undefined): VersioningRecord['override'] {
  if (!override) return undefined;
  const pinned = versionOf(override.pinned?.version) ?? legacyVersion(override);
  if (pinned !== undefined) return { pinned };
  const isAuto = override.autoUpgrade === true || override.behavior === AUTO_UPGRADE;
  return isAuto ? {} : undefined;
}

function legacyVersion({ pinnedVersion: text }: Override): VersionRef | undefined {
  const [, deployment = '', buildId = ''] = /^([^.]+)\.(.+)$/.exec(text ?? '') ?? [];
  return deployment === '' ? undefined : { deployment, buildId };
}

export function overrideMessage({ pinned }: NonNullable<VersioningRecord['override']>): Override {
  if (pinned === undefined) return { autoUpgrade: true };
  const behavior = PinnedOverrideBehavior.PINNED_OVERRIDE_BEHAVIOR_PINNED;
  return { pinned: { behavior, version: versionMessage(pinned) } };
}

/** What describing a run tells of its versioning; undefined of a run that never had any. */
export function versioningInfo({ versioning }: RunRecord): Info | undefined {
  if (versioning === undefined) return undefined;
  const { override, inherited, behavior = inherited ? PINNED : 0, revision = 0, initial } = versioning;
  const version = versioning.version ?? inherited;
  if (override === undefined && version === undefined) return undefined;
  const effective = override?.pinned ?? version;
  return {
    behavior: override === undefined ? behavior : override.pinned ? PINNED : AUTO_UPGRADE,
    ...(effective && { version: versionText(effective), deploymentVersion: versionMessage(effective) }),
    ...(override && {
      versioningOverride: {
        ...overrideMessage(override),
        behavior: override.pinned ? PINNED : AUTO_UPGRADE,
        ...(override.pinned && { pinnedVersion: versionText(override.pinned) }),
      },
    }),
    ...(revision > 0 && { revisionNumber: long(revision) }),
    ...(initial && { continueAsNewInitialVersioningBehavior: initial }),
  };
}
