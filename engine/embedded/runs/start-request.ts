import type { temporal } from '@temporalio/proto';
import { firstCronWaitMs } from '../cron/next-run.ts';
import { readOverride } from '../deployments/run-versioning.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import { newId } from '../primitives/ids.ts';
import type { Limits } from '../primitives/limits.ts';
import { Memo, Payloads, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '../protocol/proto.ts';
import { toMs } from '../protocol/values.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import {
  type SearchAttributeRegistry,
  mergeSearchAttributes,
} from '../visibility/search-attribute-registry.ts';
import type { NewRun } from './create-run.ts';
import { normaliseRetryPolicy, validateRetryPolicy } from './retry-policy.ts';

export type StartRequest = temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest;
type Duration = Parameters<typeof toMs>[0];

/** What validating a start request takes. */
export interface StartValidation {
  readonly runs: Pick<RunRegistry, 'now'>;
  readonly namespaces: NamespaceRegistry;
  readonly searchAttributes: SearchAttributeRegistry;
  readonly limits: Pick<
    Limits,
    'idLength' | 'blobBytes' | 'memoBytes' | 'defaultTaskTimeoutMs' | 'maximumTaskTimeoutMs'
  >;
}

/** A validated start; its run has no id yet. */
export type ValidStart = Omit<NewRun, 'ref'> & {
  readonly namespace: string;
  readonly workflowId: string;
  readonly reusePolicy: number;
  readonly conflictPolicy: number;
};

/** Checks a start request as the server's frontend does, with its texts, and fills in defaults. */
export function validateStart(services: StartValidation, request: StartRequest): ValidStart {
  const { namespaces, limits } = services;
  if (!request.namespace) throw invalidArgument('Namespace is empty.');
  const { name: namespace } = namespaces.get(request.namespace);
  const { idLength } = limits;
  const workflowId = request.workflowId ?? '';
  if (workflowId === '') throw invalidArgument('WorkflowId is not set on request.');
  if (workflowId.length > idLength) {
    throw invalidArgument(`WorkflowId exceeds maximum allowed length (${workflowId.length}/${idLength})`);
  }
  validateRetryPolicy(request.retryPolicy);
  const startDelayMs = validTimeout(request.workflowStartDelay, 'WorkflowStartDelay');
  const cron = request.cronSchedule ?? '';
  if (cron !== '' && startDelayMs > 0) {
    throw invalidArgument('CronSchedule and WorkflowStartDelay may not be used together.');
  }
  const backoffMs = cron === '' ? startDelayMs : firstCronWaitMs(cron, services.runs.now());
  const workflowType = request.workflowType?.name ?? '';
  if (workflowType === '') throw invalidArgument('WorkflowType is not set on request.');
  if (workflowType.length > idLength) throw invalidArgument('WorkflowType length exceeds limit.');
  const taskQueue = validTaskQueue(request.taskQueue);
  const executionTimeoutMs = validTimeout(
    request.workflowExecutionTimeout,
    'WorkflowExecutionTimeoutSeconds',
  );
  const runTimeoutMs = validTimeout(request.workflowRunTimeout, 'WorkflowRunTimeoutSeconds');
  const taskTimeoutMs = validTimeout(request.workflowTaskTimeout, 'WorkflowTaskTimeoutSeconds');
  validatePolicies(request);
  validateSizes(limits, request);
  const searchAttributes = validSearchAttributes(services, namespace, request);
  const versioningOverride = readOverride(request.versioningOverride);
  return {
    namespace,
    workflowId,
    workflowType,
    taskQueue,
    startRequestId: request.requestId || newId(),
    input: request.input ?? null,
    header: request.header ?? null,
    identity: request.identity ?? '',
    memo: request.memo ?? null,
    searchAttributes,
    userMetadata: request.userMetadata ?? null,
    priority: request.priority ?? null,
    links: request.links ?? [],
    executionTimeoutMs,
    runTimeoutMs,
    taskTimeoutMs: Math.min(taskTimeoutMs || limits.defaultTaskTimeoutMs, limits.maximumTaskTimeoutMs),
    ...(request.retryPolicy && { retry: normaliseRetryPolicy(request.retryPolicy) }),
    ...((request.continuedFailure || request.lastCompletionResult) && {
      carried: {
        failure: request.continuedFailure ?? null,
        lastCompletionResult: request.lastCompletionResult ?? null,
      },
    }),
    ...(cron !== '' && { cron }),
    ...(versioningOverride && { versioningOverride }),
    attempt: 1,
    backoffMs,
    reusePolicy: request.workflowIdReusePolicy ?? 0,
    conflictPolicy: request.workflowIdConflictPolicy ?? 0,
  };
}

export function validTaskQueue(queue: temporal.api.taskqueue.v1.ITaskQueue | null | undefined): string {
  if (!queue) throw invalidArgument('taskQueue is not set');
  const name = queue.name ?? '';
  if (name === '') throw invalidArgument('missing task queue name');
  if (name.startsWith('/_sys/')) {
    throw invalidArgument('task queue name cannot start with reserved prefix /_sys/');
  }
  return name;
}

/** Answers a timeout of a start request in ms; throws for one that is negative. */
export function validTimeout(value: Duration, name: string): number {
  const ms = toMs(value);
  if (ms < 0) throw invalidArgument(`An invalid ${name} is set on request. cause: negative duration`);
  return ms;
}

function validatePolicies(request: StartRequest): void {
  const terminates =
    request.workflowIdReusePolicy === WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING;
  const conflict = request.workflowIdConflictPolicy ?? 0;
  if (terminates && conflict !== WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_UNSPECIFIED) {
    throw invalidArgument(
      'Invalid WorkflowIDReusePolicy: WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING cannot be used together with a WorkflowIDConflictPolicy',
    );
  }
}

function validateSizes({ blobBytes, memoBytes }: StartValidation['limits'], request: StartRequest): void {
  if (request.input && Payloads.encode(request.input).finish().length > blobBytes) {
    throw invalidArgument('Blob data size exceeds limit.');
  }
  if (request.memo && Memo.encode(request.memo).finish().length > memoBytes) {
    throw invalidArgument('Memo size exceeds limit.');
  }
}

function validSearchAttributes(
  { searchAttributes }: StartValidation,
  namespace: string,
  request: StartRequest,
): temporal.api.common.v1.ISearchAttributes | null {
  const fields = request.searchAttributes?.indexedFields;
  if (!fields) return null;
  const indexedFields = mergeSearchAttributes({}, searchAttributes.validate(namespace, fields));
  return Object.keys(indexedFields).length > 0 ? { indexedFields } : null;
}
