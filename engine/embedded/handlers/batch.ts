import type { temporal } from '@temporalio/proto';
import type { StoredBatch } from '../batches/batch-store.ts';
import {
  type BatchRequest,
  activityOperation,
  batchIdentity,
  isForOpenRuns,
} from '../batches/perform-batch.ts';
import { newId } from '../primitives/ids.ts';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';
import {
  BatchOperationState,
  BatchOperationType,
  ExecutionType,
  StartBatchOperationRequest,
  fromEncoded,
  toEncoded,
} from '../protocol/proto.ts';
import {
  RpcError,
  invalidArgument,
  notFound,
  tooManyBatches,
  workflowAlreadyStarted,
} from '../protocol/rpc-error.ts';
import { long, optionalTimestamp, timestamp } from '../protocol/values.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { parseQuery } from '../visibility/query-parser.ts';
import type { HandlerServices } from './handler-services.ts';

type Describe = temporal.api.workflowservice.v1.IDescribeBatchOperationResponse;

/** What batch operations take. */
type BatchServices = Pick<
  HandlerServices,
  'runs' | 'namespaces' | 'visibility' | 'group' | 'batches' | 'batchRunner'
>;

const PAGE = 1000;
const ANY_KEY = Number.MAX_SAFE_INTEGER;

/** The methods by which many workflows are changed at once. */
export function batchHandlers(services: BatchServices): WorkflowHandlers {
  const { runs, namespaces, batches, batchRunner, group } = services;
  const find = (namespace: string | null | undefined, jobId: string | null | undefined): StoredBatch => {
    const { name } = namespaces.get(namespace ?? '');
    if (!jobId) throw invalidArgument('JobId is not set on request.');
    group.flush();
    const batch = batches.find(name, jobId);
    if (!batch) throw notFound(`workflow not found for ID: ${jobId}`);
    return batch;
  };
  return {
    StartBatchOperation: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      validate(request);
      const jobId = request.jobId ?? '';
      group.flush();
      if (batches.running().some(({ record }) => record.namespace === namespace)) throw tooManyBatches();
      const known = batches.find(namespace, jobId)?.record;
      if (known) throw alreadyStarted(jobId, known.runId);
      const targets = targetsOf(services, namespace, request);
      const key = runs.transact(() => {
        forgetOld(services, namespace);
        return batches.create(
          {
            namespace,
            jobId,
            runId: newId(),
            request: toEncoded(StartBatchOperationRequest, request),
            startTime: runs.now(),
            total: targets.length,
            state: BatchOperationState.BATCH_OPERATION_STATE_RUNNING,
            completed: 0,
            failed: 0,
          },
          targets,
        );
      });
      batchRunner.start(key);
      return {};
    },
    DescribeBatchOperation: ({ namespace, jobId }) => describe(find(namespace, jobId)),
    StopBatchOperation: ({ namespace, jobId, reason }) => {
      namespaces.get(namespace ?? '');
      if (!jobId) throw invalidArgument('JobId is not set on request.');
      if (!reason) throw invalidArgument('Reason is not set on request.');
      const batch = find(namespace, jobId);
      if (batch.record.closeTime !== undefined) throw notFound('workflow execution already completed');
      batch.record.state = BatchOperationState.BATCH_OPERATION_STATE_FAILED;
      batch.record.closeTime = runs.now();
      runs.transact(() => batches.save(batch));
      return {};
    },
    ListBatchOperations: (request) => {
      const { name } = namespaces.get(request.namespace ?? '');
      group.flush();
      const before = readToken(request.nextPageToken);
      const limit = Math.min(request.pageSize || PAGE, PAGE);
      const page = batches.list(name, before, limit);
      const last = page.at(-1);
      return {
        operationInfo: page.map(({ record }) => ({
          jobId: record.jobId,
          state: record.state,
          startTime: timestamp(record.startTime),
          closeTime: optionalTimestamp(record.closeTime),
          operationType: operationType(fromEncoded(StartBatchOperationRequest, record.request)),
        })),
        ...(page.length === limit && last && { nextPageToken: Buffer.from(String(last.key)) }),
      };
    },
  };
}

function readToken(token: Uint8Array | null | undefined): number {
  if (!token?.length) return ANY_KEY;
  const key = Number(Buffer.from(token).toString());
  if (!Number.isSafeInteger(key)) throw invalidArgument('Invalid NextPageToken.');
  return key;
}

function validate(request: BatchRequest): void {
  const chosen = [request.visibilityQuery, request.executions?.length, request.targetExecutions?.length];
  const given = chosen.filter(Boolean).length;
  if (given > 1) {
    throw invalidArgument('visibility query, executions, and target executions are mutually exclusive');
  }
  if (given === 0 || !request.reason || operationType(request) === 0) {
    throw invalidArgument(
      'must provide required parameters: BatchType,Reason,Namespace, AND one of (Query OR Executions OR TargetExecutions)',
    );
  }
  if (!request.jobId) throw invalidArgument('JobId is not set on request.');
  if (request.visibilityQuery) checkQuery(request.visibilityQuery);
  if (request.signalOperation && !request.signalOperation.signal) {
    throw invalidArgument('must provide signal name');
  }
  checkChanges(request);
  const { resetOperation: reset } = request;
  if (reset && !reset.options && !reset.resetType) {
    throw invalidArgument('unknown batch reset type Unspecified');
  }
}

/** Checks the operations that change what runs and activities were started with. */
function checkChanges(request: BatchRequest): void {
  const { updateWorkflowOptionsOperation: options, updateActivityOptionsOperation: update } = request;
  if (options && !options.workflowExecutionOptions) throw invalidArgument('must provide UpdateOptions');
  if (options && !options.updateMask) throw invalidArgument('must provide UpdateMask');
  if (update?.activityOptions && update.restoreOriginal) {
    throw invalidArgument('cannot set both activity options and restore original');
  }
  if (update && !update.activityOptions && !update.restoreOriginal) {
    throw invalidArgument('Either activity type must be set, or restore original should be set to true');
  }
  const operation = activityOperation(request);
  if (!operation) return;
  const isUnset = operation.activity === undefined;
  if (isUnset && request.unpauseActivitiesOperation) throw invalidArgument('activity filter must be set');
  if (isUnset && request.resetActivitiesOperation) {
    throw invalidArgument('must provide ActivityType or MatchAll');
  }
  if (!isUnset && !operation.type && !operation.matchAll) {
    throw invalidArgument('Either activity type must be set, or match all should be set to true');
  }
}

/** Checks a query before its operation begins. The server makes a statement of it that begins with other words than a listing's. */
function checkQuery(query: string): void {
  try {
    parseQuery(query);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw invalidArgument(
      error.message.replace(
        /^invalid query: malformed SQL query: syntax error at position (\d+)/,
        (_, position: string) =>
          `invalid visibility query: syntax error at position ${Number(position) - SHORTER_BY}`,
      ),
    );
  }
}

/** By how many characters `select * from dummy where ` is shorter than what listings begin with. */
const SHORTER_BY = 1;

function operationType(request: BatchRequest): number {
  if (request.terminationOperation) return BatchOperationType.BATCH_OPERATION_TYPE_TERMINATE_WORKFLOW;
  if (request.cancellationOperation) return BatchOperationType.BATCH_OPERATION_TYPE_CANCEL_WORKFLOW;
  if (request.signalOperation) return BatchOperationType.BATCH_OPERATION_TYPE_SIGNAL_WORKFLOW;
  if (request.deletionOperation) return BatchOperationType.BATCH_OPERATION_TYPE_DELETE_WORKFLOW;
  if (request.updateWorkflowOptionsOperation) {
    return BatchOperationType.BATCH_OPERATION_TYPE_UPDATE_WORKFLOW_EXECUTION_OPTIONS;
  }
  if (request.unpauseActivitiesOperation) return BatchOperationType.BATCH_OPERATION_TYPE_UNPAUSE_ACTIVITY;
  if (request.resetActivitiesOperation) return BatchOperationType.BATCH_OPERATION_TYPE_RESET_ACTIVITY;
  if (request.updateActivityOptionsOperation) {
    return BatchOperationType.BATCH_OPERATION_TYPE_UPDATE_ACTIVITY_OPTIONS;
  }
  return request.resetOperation ? BatchOperationType.BATCH_OPERATION_TYPE_RESET_WORKFLOW : 0;
}

function namedTargets({ executions, targetExecutions }: BatchRequest): WorkflowExecutionRef[] {
  const typed = (targetExecutions ?? []).map(({ businessId, runId }) => ({ workflowId: businessId, runId }));
  return [...(executions ?? []), ...typed].map(({ workflowId, runId }) => ({
    workflowId: workflowId ?? '',
    runId: runId ?? '',
  }));
}

/** Finds all workflows that the operation is for, before it begins. */
function targetsOf(
  { visibility, runs }: BatchServices,
  namespace: string,
  request: BatchRequest,
): WorkflowExecutionRef[] {
  if (!request.visibilityQuery) return namedTargets(request);
  const open = isForOpenRuns(request);
  const query = open
    ? `(${request.visibilityQuery}) AND ExecutionStatus = 'Running'`
    : request.visibilityQuery;
  const currentOnly = request.resetOperation?.options?.currentRunOnly === true;
  const targets: WorkflowExecutionRef[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = visibility.list({ namespace, query, pageSize: PAGE, nextPageToken });
    for (const { execution } of page.executions ?? []) {
      const { workflowId = '', runId = '' } = execution ?? {};
      if (currentOnly && runs.currentRunId(namespace, workflowId ?? '') !== runId) continue;
      targets.push({ workflowId: workflowId ?? '', runId: runId ?? '' });
    }
    nextPageToken = page.nextPageToken ?? new Uint8Array();
  } while (nextPageToken.length > 0);
  return targets;
}

/** Operations are kept as long as closed workflows are. */
function forgetOld({ batches, namespaces, runs }: BatchServices, namespace: string): void {
  const oldest = runs.now() - namespaces.get(namespace).retentionMs;
  for (const { key, record } of batches.list(namespace, ANY_KEY, PAGE)) {
    if ((record.closeTime ?? Infinity) < oldest) batches.delete(key);
  }
}

function describe({ record }: StoredBatch): Describe {
  const request = fromEncoded(StartBatchOperationRequest, record.request);
  return {
    operationType: operationType(request),
    jobId: record.jobId,
    state: record.state,
    startTime: timestamp(record.startTime),
    closeTime: optionalTimestamp(record.closeTime),
    totalOperationCount: long(record.total),
    completeOperationCount: long(record.completed),
    failureOperationCount: long(record.failed),
    identity: batchIdentity(request),
    reason: request.reason ?? '',
    ...(request.visibilityQuery && { query: request.visibilityQuery }),
    executions: namedTargets(request).map(({ workflowId, runId }) => ({
      type: ExecutionType.EXECUTION_TYPE_WORKFLOW,
      businessId: workflowId,
      runId,
    })),
  };
}

function alreadyStarted(jobId: string, runId: string): Error {
  return workflowAlreadyStarted(
    `Workflow execution already finished. WorkflowId: ${jobId}, RunId: ${runId}. Workflow Id reuse policy: reject duplicate workflow Id.`,
    // The request that began the job is not kept; what only has to be one serves.
    { startRequestId: runId, runId, firstExecutionRunId: runId },
  );
}
