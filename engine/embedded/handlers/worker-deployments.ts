import {
  type DeploymentRecord,
  type VersionRecord,
  findVersion,
  hasQueue,
  setCurrent,
  setRamping,
} from '../deployments/deployment.ts';
import { versionAttribute, versionMessage, versionOf, versionText } from '../deployments/version.ts';
import {
  conflictToken,
  deploymentInfo,
  deploymentListItem,
  metadataOf,
  versionInfo,
  versionRef,
  versionState,
} from '../deployments/views.ts';
import { Payload, toEncoded } from '../protocol/proto.ts';
import { failedPrecondition, invalidArgument, notFound } from '../protocol/rpc-error.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import type { HandlerServices } from './handler-services.ts';

type Services = Pick<HandlerServices, 'namespaces' | 'deployments' | 'matching' | 'visibility' | 'now'> & {
  readonly group: Pick<HandlerServices['group'], 'flush'>;
};

/** What every request that changes a deployment says. */
interface ChangeRequest {
  readonly namespace?: string | null;
  readonly deploymentName?: string | null;
  readonly conflictToken?: Uint8Array | null;
  readonly identity?: string | null;
}

const DEFAULT_PAGE = 100;

/** The methods by which operators see worker deployments and say which version's workers get new work. */
export function workerDeploymentHandlers(services: Services): WorkflowHandlers {
  const { deployments, namespaces, now } = services;
  const namespaceOf = (name: string | null | undefined): string => namespaces.get(name ?? '').name;

  const found = (namespace: string, name: string | null | undefined): DeploymentRecord => {
    if (!name) throw invalidArgument('WorkerDeploymentName cannot be empty');
    const deployment = deployments.find(namespace, name);
    if (deployment) return deployment;
    throw notFound(
      `no Worker Deployment found with name '${name}'; does your Worker Deployment have pollers?`,
    );
  };

  /** Finds the deployment that a request changes, and refuses the request of one who may not, or who saw another state. */
  const toChange = (request: ChangeRequest): { namespace: string; deployment: DeploymentRecord } => {
    const namespace = namespaceOf(request.namespace);
    if (!request.deploymentName) throw invalidArgument('deployment name cannot be empty');
    const deployment = found(namespace, request.deploymentName);
    const token = request.conflictToken;
    if (token?.length && Buffer.compare(token, conflictToken(deployment)) !== 0)
      throw failedPrecondition('conflict token mismatch');
    const identity = request.identity ?? '';
    if (deployment.manager !== '' && deployment.manager !== identity)
      throw failedPrecondition(
        `ManagerIdentity '${deployment.manager}' is set and does not match user identity '${identity}'; to proceed, ` +
          'set your own identity as the ManagerIdentity, remove the ManagerIdentity, or wait for the other client to do so',
      );
    return { namespace, deployment };
  };

  const save = (namespace: string, deployment: DeploymentRecord, identity: string): void => {
    deployment.modifier = identity;
    deployment.changes += 1;
    deployments.save(namespace, deployment);
  };

  /** Has the tasks that wait in the queues of a deployment go where its routing sends them now. */
  const reroute = (namespace: string, deployment: DeploymentRecord): void => {
    const queues = new Set(deployment.versions.flatMap((version) => version.queues.map(({ name }) => name)));
    for (const queue of queues) services.matching.reroute(namespace, queue);
  };

  /** Refuses a build that is not there, or whose workers lack a queue that the others serve. */
  const requireBuild = (
    deployment: DeploymentRecord,
    buildId: string,
    ignoreMissingTaskQueues: boolean,
  ): void => {
    if (buildId === '') return;
    const version = findVersion(deployment, buildId);
    if (!version) throw notFound(`build ID '${buildId}' not found in Worker Deployment '${deployment.name}'`);
    const current = findVersion(deployment, deployment.current);
    const isMissing = current?.queues.some(({ name, type }) => !hasQueue(version, name, type));
    if (isMissing === true && !ignoreMissingTaskQueues)
      throw failedPrecondition('New version does not have all the task queues from the previous version');
  };

  /** Notes of a version that is not used any more whether the last run that was pinned to it has ended. */
  const look = (namespace: string, deployment: DeploymentRecord, version: VersionRecord): void => {
    const ref = versionRef(deployment, version.buildId);
    if (versionState(version) !== 'draining' || !ref) return;
    services.group.flush();
    const { count } = services.visibility.count({
      namespace,
      query:
        `TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running' AND ` +
        `TemporalWorkerDeploymentVersion = '${versionAttribute(ref).replaceAll("'", "''")}'`,
    });
    if (count > 0) return;
    version.drainedTime = now();
    deployments.save(namespace, deployment);
  };

  const foundVersion = (
    namespace: string,
    request: {
      readonly deploymentVersion?: Parameters<typeof versionOf>[0];
      readonly version?: string | null;
    },
  ): { deployment: DeploymentRecord; version: VersionRecord } => {
    const [, legacyName = '', legacyBuild = ''] = /^([^.]+)\.(.+)$/.exec(request.version ?? '') ?? [];
    const ref = versionOf(request.deploymentVersion) ?? { deployment: legacyName, buildId: legacyBuild };
    if (ref.deployment === '') throw invalidArgument('deployment version cannot be empty');
    const deployment = deployments.find(namespace, ref.deployment);
    const version = deployment && findVersion(deployment, ref.buildId);
    if (!version) throw notFound('Worker Deployment Version not found');
    look(namespace, deployment, version);
    return { deployment, version };
  };

  return {
    DescribeWorkerDeployment: (request) => {
      const namespace = namespaceOf(request.namespace);
      const deployment = found(namespace, request.deploymentName);
      for (const version of deployment.versions) look(namespace, deployment, version);
      return { conflictToken: conflictToken(deployment), workerDeploymentInfo: deploymentInfo(deployment) };
    },
    DescribeWorkerDeploymentVersion: (request) => {
      const { deployment, version } = foundVersion(namespaceOf(request.namespace), request);
      return {
        workerDeploymentVersionInfo: versionInfo(deployment, version),
        versionTaskQueues: version.queues.map(({ name, type }) => ({ name, type })),
      };
    },
    ListWorkerDeployments: (request) => {
      const namespace = namespaceOf(request.namespace);
      const after = Buffer.from(request.nextPageToken ?? []).toString('utf8');
      const rest = deployments.list(namespace).filter(({ name }) => name > after);
      const page = rest.slice(0, request.pageSize || DEFAULT_PAGE);
      return {
        workerDeployments: page.map(deploymentListItem),
        ...(page.length < rest.length && { nextPageToken: Buffer.from(page.at(-1)?.name ?? '') }),
      };
    },
    SetWorkerDeploymentCurrentVersion: (request) => {
      const { namespace, deployment } = toChange(request);
      const buildId = request.buildId || legacyBuildId(deployment, request.version);
      const before = versionRef(deployment, deployment.current);
      requireBuild(deployment, buildId, request.ignoreMissingTaskQueues === true);
      if (buildId !== deployment.current) {
        setCurrent(deployment, buildId, now());
        save(namespace, deployment, request.identity ?? '');
        reroute(namespace, deployment);
      }
      return {
        conflictToken: conflictToken(deployment),
        previousVersion: versionText(before),
        previousDeploymentVersion: versionMessage(before),
      };
    },
    SetWorkerDeploymentRampingVersion: (request) => {
      const percentage = request.percentage ?? 0;
      if (!(percentage >= 0 && percentage <= 100))
        throw invalidArgument('Percentage must be between 0 and 100 (inclusive)');
      const { namespace, deployment } = toChange(request);
      const buildId = request.buildId || legacyBuildId(deployment, request.version);
      const before = deployment.ramping;
      const isUnset = buildId === '' && percentage === 0;
      if (!isUnset && buildId === deployment.current)
        throw failedPrecondition(
          `requested ramping version ${versionText(versionRef(deployment, buildId))} is already current`,
        );
      requireBuild(deployment, buildId, request.ignoreMissingTaskQueues === true);
      const ramping = isUnset ? undefined : { buildId, percentage };
      if (before?.buildId !== ramping?.buildId || before?.percentage !== ramping?.percentage) {
        setRamping(deployment, ramping, now());
        save(namespace, deployment, request.identity ?? '');
        reroute(namespace, deployment);
      }
      const previous = before && versionRef(deployment, before.buildId);
      return {
        conflictToken: conflictToken(deployment),
        ...(before && {
          previousVersion: versionText(previous),
          previousDeploymentVersion: versionMessage(previous),
          previousPercentage: before.percentage,
        }),
      };
    },
    SetWorkerDeploymentManager: (request) => {
      const namespace = namespaceOf(request.namespace);
      const deployment = found(namespace, request.deploymentName);
      const token = request.conflictToken;
      if (token?.length && Buffer.compare(token, conflictToken(deployment)) !== 0)
        throw failedPrecondition('conflict token mismatch');
      const previousManagerIdentity = deployment.manager;
      deployment.manager = request.self ? (request.identity ?? '') : (request.managerIdentity ?? '');
      save(namespace, deployment, request.identity ?? '');
      return { conflictToken: conflictToken(deployment), previousManagerIdentity };
    },
    UpdateWorkerDeploymentVersionMetadata: (request) => {
      const namespace = namespaceOf(request.namespace);
      const { deployment, version } = foundVersion(namespace, request);
      for (const [key, payload] of Object.entries(request.upsertEntries ?? {}))
        version.metadata[key] = toEncoded(Payload, Payload.create(payload));
      for (const key of request.removeEntries ?? []) Reflect.deleteProperty(version.metadata, key);
      version.modifier = request.identity ?? '';
      deployments.save(namespace, deployment);
      return { metadata: { entries: metadataOf(version) } };
    },
    DeleteWorkerDeploymentVersion: (request) => {
      const namespace = namespaceOf(request.namespace);
      const ofRequest = versionOf(request.deploymentVersion);
      if (!ofRequest && !request.version?.includes('.')) {
        throw invalidArgument(
          `invalid version string "${request.version ?? ''}", expected format is "<deployment_name>.<build_id>"`,
        );
      }
      const deploymentName = ofRequest?.deployment ?? request.version?.split('.')[0] ?? '';
      if (!deployments.find(namespace, deploymentName)) {
        throw notFound(`workflow not found for ID: temporal-sys-worker-deployment:${deploymentName}`);
      }
      const { deployment, version } = foundVersion(namespace, request);
      const name = `${deployment.name}:${version.buildId}`;
      const state = versionState(version);
      const refuse = (reason: string): Error =>
        failedPrecondition(`version '${name}' cannot be deleted since it ${reason}`);
      if (state === 'current' || state === 'ramping') throw refuse('is current or ramping');
      if (state === 'draining' && request.skipDrainage !== true) throw refuse('is draining');
      const ref = { deployment: deployment.name, buildId: version.buildId };
      const isPolled = version.queues.some(
        ({ name: queue }) =>
          services.matching.workflowQueue(namespace, queue, ref).isServed ||
          services.matching.activityQueue(namespace, queue, ref).isServed,
      );
      if (isPolled) throw refuse('has active pollers');
      deployment.versions.splice(deployment.versions.indexOf(version), 1);
      save(namespace, deployment, request.identity ?? '');
      return {};
    },
    DeleteWorkerDeployment: (request) => {
      const namespace = namespaceOf(request.namespace);
      const { deploymentName } = request;
      if (!deploymentName) throw invalidArgument('WorkerDeploymentName cannot be empty');
      const deployment = deployments.find(namespace, deploymentName);
      // What is not there is deleted already.
      if (!deployment) return {};
      if (deployment.versions.length > 0)
        throw failedPrecondition("deployment has versions, can't be deleted");
      deployments.remove(namespace, deployment.name);
      return {};
    },
  };
}

/** Reads the build of a version in the API's older form, `<deployment>.<build>` or `__unversioned__`. */
function legacyBuildId({ name }: DeploymentRecord, version: string | null | undefined): string {
  return version?.startsWith(`${name}.`) ? version.slice(name.length + 1) : '';
}
