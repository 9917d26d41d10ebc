import type { temporal } from '@temporalio/proto';
import { firstCronWaitMs } from '../cron/next-run.ts';
import { validOverride } from '../deployments/check-override.ts';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import { newId } from '../primitives/ids.ts';
import type { Limits } from '../primitives/limits.ts';
import { Memo, Payloads, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '../protocol/proto.ts';
import { refuseCallbacks } from '../protocol/callbacks.ts';
import { validMs } from '../protocol/durations.ts';
import { LONGEST_ID, bytesOf, checkRequestId, isTooLong } from '../protocol/id-length.ts';
import { checkLinks } from '../protocol/links.ts';
import { checkPriority } from '../protocol/priority.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import {
  type SearchAttributeRegistry,
  mergeSearchAttributes,
} from '../visibility/search-attribute-registry.ts';
import type { NewRun } from './create-run.ts';
import { normaliseRetryPolicy, validateRetryPolicy } from './retry-policy.ts';

export type StartRequest = temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest;
type Duration = Parameters<typeof validMs>[0];

/** What validating a start request takes. */
export interface StartValidation {
  readonly runs: Pick<RunRegistry, 'now'>;
  readonly namespaces: NamespaceRegistry;
  readonly deployments: DeploymentRegistry;
  readonly searchAttributes: SearchAttributeRegistry;
  readonly limits: Pick<Limits, 'blobBytes' | 'memoBytes' | 'defaultTaskTimeoutMs' | 'maximumTaskTimeoutMs'>;
}

/** A validated start; its run has no id yet. */
export type ValidStart = Omit<NewRun, 'ref'> & {
  readonly namespace: string;
  readonly workflowId: string;
  readonly reusePolicy: number;
  readonly conflictPolicy: number;
  /** What an open run that is used instead gets; undefined when nothing is written of that. */
  readonly attach?: Attachment;
};

/** The part of a start that goes to the open run which it found. */
export interface Attachment {
  readonly requestId: string;
  readonly links: temporal.api.common.v1.ILink[];
}

/** Checks a start request as the server's frontend does, with its texts, and fills in defaults. */
export function validateStart(services: StartValidation, request: StartRequest): ValidStart {
  const { namespaces, limits } = services;
  if (!request.namespace) throw invalidArgument('Namespace is empty.');
  const { name: namespace } = namespaces.get(request.namespace);
  const workflowId = validWorkflowId(request.workflowId);
  validateRetryPolicy(request.retryPolicy);
  const cron = request.cronSchedule ?? '';
  if (cron !== '' && request.workflowStartDelay) {
    throw invalidArgument('CronSchedule and WorkflowStartDelay may not be used together.');
  }
  const startDelayMs = validTimeout(request.workflowStartDelay, 'WorkflowStartDelaySeconds');
  const backoffMs = cron === '' ? startDelayMs : firstCronWaitMs(cron, services.runs.now());
  const workflowType = request.workflowType?.name ?? '';
  if (workflowType === '') throw invalidArgument('WorkflowType is not set on request.');
  if (isTooLong(workflowType)) throw invalidArgument('WorkflowType length exceeds limit.');
  const taskQueue = validTaskQueue(request.taskQueue);
  const executionTimeoutMs = validTimeout(
    request.workflowExecutionTimeout,
    'WorkflowExecutionTimeoutSeconds',
  );
  const runTimeoutMs = validTimeout(request.workflowRunTimeout, 'WorkflowRunTimeoutSeconds');
  const taskTimeoutMs = validTimeout(request.workflowTaskTimeout, 'WorkflowTaskTimeoutSeconds');
  checkRequestId(request.requestId);
  validatePolicies(request);
  validateSizes(limits, request);
  const searchAttributes = validSearchAttributes(services, namespace, request);
  checkPriority(request.priority);
  refuseCallbacks(request.completionCallbacks);
  checkLinks(request.links);
  const versioningOverride = validOverride(
    services.deployments,
    { namespace, taskQueue },
    request.versioningOverride,
  );
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
    explicitExecutionTimeout: request.workflowExecutionTimeout != null,
    explicitRunTimeout: request.workflowRunTimeout != null,
    ...(cron !== '' && { cron }),
    ...(versioningOverride && { versioningOverride }),
    attempt: 1,
    backoffMs,
    reusePolicy: request.workflowIdReusePolicy ?? 0,
    conflictPolicy: request.workflowIdConflictPolicy ?? 0,
    ...(request.onConflictOptions && { attach: attachment(request, request.onConflictOptions) }),
  };
}

function attachment(
  { requestId, links }: StartRequest,
  { attachRequestId, attachLinks }: temporal.api.workflow.v1.IOnConflictOptions,
): Attachment {
  return {
    requestId: attachRequestId ? (requestId ?? '') : '',
    links: attachLinks ? (links ?? []) : [],
  };
}

export function validWorkflowId(given: string | null | undefined): string {
  const workflowId = given ?? '';
  if (workflowId === '') throw invalidArgument('WorkflowId is not set on request.');
  if (isTooLong(workflowId)) {
    throw invalidArgument(`WorkflowId exceeds maximum allowed length (${bytesOf(workflowId)}/${LONGEST_ID})`);
  }
  return workflowId;
}

/** Answers a timeout of a start request in ms; throws for one that is negative. */
export function validTimeout(value: Duration, name: string): number {
  return validMs(value, (problem) => `An invalid ${name} is set on request. cause: ${problem}`);
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
  if (
    conflict === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING &&
    request.workflowIdReusePolicy === WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE
  ) {
    throw invalidArgument(
      'Invalid WorkflowIDReusePolicy: WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE cannot be used together with WorkflowIdConflictPolicy WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING',
    );
  }
  const { onConflictOptions: attach } = request;
  if (attach?.attachCompletionCallbacks && !attach.attachRequestId) {
    throw invalidArgument('attaching request ID is required for attaching completion callbacks');
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
