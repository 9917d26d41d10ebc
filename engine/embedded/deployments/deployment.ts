import type { EncodedMessage } from '../protocol/proto.ts';

/** A task queue that a version's workers have polled. */
export interface VersionQueue {
  readonly name: string;
  /** The TaskQueueType. */
  readonly type: number;
}

/** A version of a deployment as it is stored. Times are in ms since the epoch. */
export interface VersionRecord {
  readonly buildId: string;
  readonly createTime: number;
  readonly queues: VersionQueue[];
  routingChangedTime?: number;
  currentSince?: number;
  rampingSince?: number;
  firstActivationTime?: number;
  lastCurrentTime?: number;
  lastDeactivationTime?: number;
  /** When no open run was pinned to it any more. */
  drainedTime?: number;
  metadata: Record<string, EncodedMessage>;
  modifier?: string;
}

/**
 * A worker deployment as it is stored. A build id of '' stands for workers without a version; without `ramping` nothing
 * is ramped.
 */
export interface DeploymentRecord {
  readonly name: string;
  readonly createTime: number;
  current: string;
  ramping?: { readonly buildId: string; readonly percentage: number };
  currentChangedTime?: number;
  rampingChangedTime?: number;
  percentageChangedTime?: number;
  /** Counts the changes of the routing. */
  revision: number;
  /** Counts all changes, so that a caller can say which state it has seen. */
  changes: number;
  modifier: string;
  manager: string;
  /** Oldest first. */
  readonly versions: VersionRecord[];
}

export function newDeployment(name: string, createTime: number): DeploymentRecord {
  return { name, createTime, current: '', revision: 0, changes: 1, modifier: '', manager: '', versions: [] };
}

export function findVersion(deployment: DeploymentRecord, buildId: string): VersionRecord | undefined {
  return deployment.versions.find((version) => version.buildId === buildId);
}

export function hasQueue(version: VersionRecord | undefined, name: string, type: number): boolean {
  return version?.queues.some((queue) => queue.name === name && queue.type === type) ?? false;
}

/** Makes a build the one that new runs and upgrading ones go to. A build that was ramping stops doing so. */
export function setCurrent(deployment: DeploymentRecord, buildId: string, now: number): void {
  if (deployment.current === buildId) return;
  deployment.current = buildId;
  deployment.currentChangedTime = now;
  if (deployment.ramping?.buildId === buildId) {
    delete deployment.ramping;
    deployment.rampingChangedTime = now;
    deployment.percentageChangedTime = now;
  }
  deployment.revision += 1;
  settleVersions(deployment, now);
}

/** Sends a part of the traffic to a build; undefined ends the ramp. */
export function setRamping(
  deployment: DeploymentRecord,
  ramping: DeploymentRecord['ramping'],
  now: number,
): void {
  const before = deployment.ramping;
  if (before?.buildId === ramping?.buildId && before?.percentage === ramping?.percentage) return;
  if (before?.buildId !== ramping?.buildId) deployment.rampingChangedTime = now;
  deployment.percentageChangedTime = now;
  if (ramping === undefined) delete deployment.ramping;
  else deployment.ramping = ramping;
  deployment.revision += 1;
  const version = ramping && findVersion(deployment, ramping.buildId);
  if (version) version.routingChangedTime = now;
  settleVersions(deployment, now);
}

/** Writes down for each version since when it is current or ramping, or that it no longer is. */
function settleVersions(deployment: DeploymentRecord, now: number): void {
  for (const version of deployment.versions) {
    const wasActive = version.currentSince !== undefined || version.rampingSince !== undefined;
    const isCurrent = version.buildId === deployment.current;
    const isRamping = version.buildId === deployment.ramping?.buildId;
    if (isCurrent !== (version.currentSince !== undefined)) {
      version.routingChangedTime = now;
      if (isCurrent) version.currentSince = version.lastCurrentTime = now;
      else delete version.currentSince;
    }
    if (isRamping !== (version.rampingSince !== undefined)) {
      version.routingChangedTime = now;
      if (isRamping) version.rampingSince = now;
      else delete version.rampingSince;
    }
    if (isCurrent || isRamping) {
      version.firstActivationTime ??= now;
      delete version.lastDeactivationTime;
      delete version.drainedTime;
    } else if (wasActive) {
      version.lastDeactivationTime = now;
    }
  }
}
