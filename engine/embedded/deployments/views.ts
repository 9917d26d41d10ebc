import type { temporal } from '@temporalio/proto';
import {
  Payload,
  RoutingConfigUpdateState,
  VersionDrainageStatus,
  WorkerDeploymentVersionStatus,
  fromEncoded,
} from '../protocol/proto.ts';
import { long, optionalTimestamp, timestamp, withoutZeroValues } from '../protocol/values.ts';
import type { VersionRef } from '../primitives/version-ref.ts';
import type { DeploymentRecord, VersionRecord } from './deployment.ts';
import { versionMessage, versionText } from './version.ts';

type Info = temporal.api.deployment.v1.IWorkerDeploymentInfo;
type Summary = temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary;
type VersionInfo = temporal.api.deployment.v1.IWorkerDeploymentVersionInfo;
type Routing = temporal.api.deployment.v1.IRoutingConfig;
type ListItem = temporal.api.workflowservice.v1.ListWorkerDeploymentsResponse.IWorkerDeploymentSummary;

const STATUS = WorkerDeploymentVersionStatus;

/** How far a version is from use. `isPinnedTo` says whether open runs are pinned to it. */
export type VersionState = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained';

const STATUS_OF = {
  inactive: STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_INACTIVE,
  current: STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT,
  ramping: STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING,
  draining: STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING,
  drained: STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED,
} as const;

export function versionState(version: VersionRecord): VersionState {
  if (version.currentSince !== undefined) return 'current';
  if (version.rampingSince !== undefined) return 'ramping';
  if (version.lastDeactivationTime === undefined) return 'inactive';
  return version.drainedTime === undefined ? 'draining' : 'drained';
}

export const versionRef = ({ name }: DeploymentRecord, buildId: string): VersionRef | undefined =>
  buildId === '' ? undefined : { deployment: name, buildId };

/** Which state of a deployment a caller has seen. */
export function conflictToken({ createTime, changes }: DeploymentRecord): Uint8Array {
  return Buffer.from(`${createTime}/${changes}`);
}

export function deploymentInfo(deployment: DeploymentRecord): Info {
  const { name, createTime, modifier, manager, versions } = deployment;
  return {
    name,
    versionSummaries: versions.toReversed().map((version) => versionSummary(deployment, version)),
    createTime: timestamp(createTime),
    routingConfig: routingConfig(deployment),
    lastModifierIdentity: modifier,
    managerIdentity: manager,
    routingConfigUpdateState: RoutingConfigUpdateState.ROUTING_CONFIG_UPDATE_STATE_COMPLETED,
  };
}

export function deploymentListItem(deployment: DeploymentRecord): ListItem {
  const { name, createTime, versions, current, ramping } = deployment;
  const summaryOf = (buildId: string | undefined): Summary | null => {
    const version = versions.find((each) => each.buildId === buildId);
    return version ? versionSummary(deployment, version) : null;
  };
  return {
    name,
    createTime: timestamp(createTime),
    routingConfig: routingConfig(deployment),
    latestVersionSummary: summaryOf(versions.at(-1)?.buildId),
    currentVersionSummary: summaryOf(current),
    rampingVersionSummary: summaryOf(ramping?.buildId),
  };
}

function routingConfig(deployment: DeploymentRecord): Routing {
  const { current, ramping, revision } = deployment;
  const currentVersion = versionRef(deployment, current);
  const rampingVersion = ramping && versionRef(deployment, ramping.buildId);
  return {
    currentVersion: versionText(currentVersion),
    ...(currentVersion && { currentDeploymentVersion: versionMessage(currentVersion) }),
    ...(ramping && {
      rampingVersion: versionText(rampingVersion),
      rampingDeploymentVersion: versionMessage(rampingVersion),
      rampingVersionPercentage: ramping.percentage,
    }),
    currentVersionChangedTime: optionalTimestamp(deployment.currentChangedTime),
    rampingVersionChangedTime: optionalTimestamp(deployment.rampingChangedTime),
    rampingVersionPercentageChangedTime: optionalTimestamp(deployment.percentageChangedTime),
    ...(revision > 0 && { revisionNumber: long(revision) }),
  };
}

function versionSummary(deployment: DeploymentRecord, version: VersionRecord): Summary {
  const ref = versionRef(deployment, version.buildId);
  const drainage = drainageInfo(version);
  return withoutZeroValues({
    version: versionText(ref),
    deploymentVersion: versionMessage(ref),
    status: STATUS_OF[versionState(version)],
    createTime: timestamp(version.createTime),
    drainageStatus: drainage?.status ?? 0,
    drainageInfo: drainage ?? null,
    currentSinceTime: optionalTimestamp(version.currentSince),
    rampingSinceTime: optionalTimestamp(version.rampingSince),
    routingUpdateTime: optionalTimestamp(version.routingChangedTime),
    firstActivationTime: optionalTimestamp(version.firstActivationTime),
    lastCurrentTime: optionalTimestamp(version.lastCurrentTime),
    lastDeactivationTime: optionalTimestamp(version.lastDeactivationTime),
  });
}

export function versionInfo(deployment: DeploymentRecord, version: VersionRecord): VersionInfo {
  const ref = versionRef(deployment, version.buildId);
  const { ramping } = deployment;
  return withoutZeroValues({
    version: versionText(ref),
    deploymentVersion: versionMessage(ref),
    deploymentName: deployment.name,
    status: STATUS_OF[versionState(version)],
    createTime: timestamp(version.createTime),
    routingChangedTime: optionalTimestamp(version.routingChangedTime),
    currentSinceTime: optionalTimestamp(version.currentSince),
    rampingSinceTime: optionalTimestamp(version.rampingSince),
    firstActivationTime: optionalTimestamp(version.firstActivationTime),
    lastCurrentTime: optionalTimestamp(version.lastCurrentTime),
    lastDeactivationTime: optionalTimestamp(version.lastDeactivationTime),
    rampPercentage: ramping?.buildId === version.buildId ? ramping.percentage : 0,
    taskQueueInfos: version.queues.map(({ name, type }) => ({ name, type })),
    drainageInfo: drainageInfo(version) ?? null,
    metadata: { entries: metadataOf(version) },
    lastModifierIdentity: version.modifier ?? '',
  });
}

export function metadataOf({ metadata }: VersionRecord): Record<string, temporal.api.common.v1.IPayload> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, payload]) => [key, fromEncoded(Payload, payload)]),
  );
}

function drainageInfo(version: VersionRecord): temporal.api.deployment.v1.IVersionDrainageInfo | undefined {
  const state = versionState(version);
  if (state !== 'draining' && state !== 'drained') return undefined;
  const changed = version.drainedTime ?? version.lastDeactivationTime;
  return {
    status:
      state === 'drained'
        ? VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINED
        : VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINING,
    lastChangedTime: optionalTimestamp(changed),
    lastCheckedTime: optionalTimestamp(changed),
  };
}
