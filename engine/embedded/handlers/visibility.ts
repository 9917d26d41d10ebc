import type { google, temporal } from '@temporalio/proto';
import { jsonPayload, long, toNumber } from '../protocol/values.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { statusNames } from '../visibility/query-values.ts';
import type { VisibilityStore } from '../visibility/visibility-store.ts';

type ListRequest = temporal.api.workflowservice.v1.IListWorkflowExecutionsRequest;
type ListResponse = temporal.api.workflowservice.v1.IListWorkflowExecutionsResponse;
type OpenRequest = temporal.api.workflowservice.v1.IListOpenWorkflowExecutionsRequest;
type ClosedRequest = temporal.api.workflowservice.v1.IListClosedWorkflowExecutionsRequest;
type CountRequest = temporal.api.workflowservice.v1.ICountWorkflowExecutionsRequest;
type CountResponse = temporal.api.workflowservice.v1.ICountWorkflowExecutionsResponse;

/** The visibility methods of WorkflowService, for a namespace that exists. They throw `RpcError`. */
interface VisibilityHandlers {
  ListWorkflowExecutions(request: ListRequest): ListResponse;
  ScanWorkflowExecutions(request: ListRequest): ListResponse;
  ListOpenWorkflowExecutions(request: OpenRequest): ListResponse;
  ListClosedWorkflowExecutions(request: ClosedRequest): ListResponse;
  ListArchivedWorkflowExecutions(): never;
  CountWorkflowExecutions(request: CountRequest): CountResponse;
}

export function visibilityHandlers(store: VisibilityStore): VisibilityHandlers {
  const list = (request: ListRequest): ListResponse =>
    store.list({
      namespace: request.namespace ?? '',
      query: request.query ?? '',
      pageSize: request.pageSize ?? 0,
      nextPageToken: request.nextPageToken ?? new Uint8Array(),
    });
  const filtered = (request: OpenRequest | ClosedRequest, conditions: string[]): ListResponse =>
    list({
      namespace: request.namespace ?? '',
      query: [...conditions, ...commonConditions(request)].join(' AND '),
      pageSize: request.maximumPageSize ?? 0,
      nextPageToken: request.nextPageToken ?? new Uint8Array(),
    });
  return {
    ListWorkflowExecutions: list,
    ScanWorkflowExecutions: list,
    ListOpenWorkflowExecutions: (request) => filtered(request, [`ExecutionStatus = 'Running'`]),
    ListClosedWorkflowExecutions: (request) =>
      filtered(request, [`ExecutionStatus != 'Running'`, ...statusCondition(request)]),
    ListArchivedWorkflowExecutions: () => {
      throw invalidArgument('Cluster is not configured for visibility archival.');
    },
    CountWorkflowExecutions: (request) => {
      const { count, groups } = store.count({
        namespace: request.namespace ?? '',
        query: request.query ?? '',
      });
      return {
        count: long(count),
        groups: groups.map((g) => ({
          groupValues: [jsonPayload(JSON.stringify(statusNames[g.status]), 'Keyword')],
          count: long(g.count),
        })),
      };
    },
  };
}

function commonConditions(request: OpenRequest | ClosedRequest): string[] {
  const { startTimeFilter, executionFilter, typeFilter } = request;
  const conditions: string[] = [];
  const earliest = nanos(startTimeFilter?.earliestTime);
  const latest = nanos(startTimeFilter?.latestTime);
  if (earliest !== undefined && latest !== undefined && earliest > latest) {
    throw invalidArgument('EarliestTime in StartTimeFilter should not be larger than LatestTime.');
  }
  if (earliest !== undefined) conditions.push(`StartTime >= ${earliest}`);
  if (latest !== undefined) conditions.push(`StartTime <= ${latest}`);
  if (executionFilter != null) conditions.push(`WorkflowId = ${quote(executionFilter.workflowId)}`);
  if (typeFilter != null) conditions.push(`WorkflowType = ${quote(typeFilter.name)}`);
  return conditions;
}

function statusCondition({ statusFilter }: ClosedRequest): string[] {
  if (statusFilter == null) return [];
  const status = statusFilter.status ?? 0;
  if (status <= 1) throw invalidArgument('StatusFilter must be specified and must be not Running.');
  return [`ExecutionStatus = ${status}`];
}

/** Makes a string literal of the query language. */
function quote(value: string | null | undefined): string {
  return `'${(value ?? '').replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function nanos(time: google.protobuf.ITimestamp | null | undefined): bigint | undefined {
  return time == null ? undefined : BigInt(toNumber(time.seconds)) * 1_000_000_000n + BigInt(time.nanos ?? 0);
}
