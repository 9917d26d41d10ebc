import type { temporal } from '@temporalio/proto';
import type { VersionRef } from '../primitives/version-ref.ts';
import { WorkerVersioningMode } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';

type Message = temporal.api.deployment.v1.IWorkerDeploymentVersion;
type Options = temporal.api.deployment.v1.IWorkerDeploymentOptions;

export function isSameVersion(a: VersionRef | undefined, b: VersionRef | undefined): boolean {
  return a?.deployment === b?.deployment && a?.buildId === b?.buildId;
}

export function versionMessage(version: VersionRef | undefined): Message | null {
  return version === undefined ? null : { deploymentName: version.deployment, buildId: version.buildId };
}

/** Answers the version of a message; undefined of none and of an empty one. */
export function versionOf(message: Message | null | undefined): VersionRef | undefined {
  if (!message?.deploymentName || !message.buildId) return undefined;
  return { deployment: message.deploymentName, buildId: message.buildId };
}

/** Answers the version that a worker says it has; undefined of a worker that is not versioned. */
export function workerVersion(options: Options | null | undefined): VersionRef | undefined {
  const isVersioned = options?.workerVersioningMode === WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED;
  return isVersioned ? versionOf(options) : undefined;
}

/** Refuses a worker that says it is versioned and not which version it has. */
export function requireVersion(options: Options | null | undefined): void {
  const isVersioned = options?.workerVersioningMode === WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED;
  if (!isVersioned || versionOf(options)) return;
  throw invalidArgument('Deployment name and build id must be set together.');
}

/** The version as one text, in the form that the API uses in its deprecated fields. */
export function versionText(version: VersionRef | undefined): string {
  return version === undefined ? '__unversioned__' : `${version.deployment}.${version.buildId}`;
}

/** The version as the value of a search attribute. */
export function versionAttribute({ deployment, buildId }: VersionRef): string {
  return `${deployment}:${buildId}`;
}
