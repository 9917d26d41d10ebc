import { status } from '@grpc/grpc-js';
import { ResourceExhaustedCause, ResourceExhaustedScope } from './proto.ts';

/** One entry of `google.rpc.Status.details`: the full message name and a plain object of that type. */
export interface ErrorDetail {
  /** For example `temporal.api.errordetails.v1.NotFoundFailure`. */
  readonly typeName: string;
  readonly value: object;
}

/** An error for the caller of an RPC: its gRPC code, its exact message, and its details (`grpc-status-details-bin`). */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: status;
  readonly details: readonly ErrorDetail[];

  constructor(code: status, message: string, details: readonly ErrorDetail[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Makes errors that have a code and a message alone. */
function plain(code: status): (message: string) => RpcError {
  return (message) => new RpcError(code, message);
}

/** Makes the error of a request that can never succeed as sent. The real server attaches no detail. */
export const invalidArgument = plain(status.INVALID_ARGUMENT);
export const failedPrecondition = plain(status.FAILED_PRECONDITION);
/** Makes the error of a call without the engine's token, or with another one. */
export const unauthenticated = plain(status.UNAUTHENTICATED);
export const resourceExhausted = plain(status.RESOURCE_EXHAUSTED);
export const deadlineExceeded = plain(status.DEADLINE_EXCEEDED);
export const unavailable = plain(status.UNAVAILABLE);

function failure(name: string, value: object = {}): ErrorDetail[] {
  return [{ typeName: `temporal.api.errordetails.v1.${name}`, value }];
}

/** Makes the error for a run, activity or update that does not exist (any more), with `NotFoundFailure`. */
export function notFound(message: string): RpcError {
  return new RpcError(status.NOT_FOUND, message, failure('NotFoundFailure'));
}

export function namespaceNotFound(namespace: string): RpcError {
  return new RpcError(
    status.NOT_FOUND,
    `Namespace ${namespace} is not found.`,
    failure('NamespaceNotFoundFailure', { namespace }),
  );
}

export function namespaceAlreadyExists(namespace: string): RpcError {
  return new RpcError(
    status.ALREADY_EXISTS,
    `Namespace "${namespace}" already exists`,
    failure('NamespaceAlreadyExistsFailure'),
  );
}

/** Makes the error of a batch operation that begins while another one is not over. */
export function tooManyBatches(): RpcError {
  return new RpcError(
    status.RESOURCE_EXHAUSTED,
    'Max concurrent batch operations is reached',
    failure('ResourceExhaustedFailure', {
      cause: ResourceExhaustedCause.RESOURCE_EXHAUSTED_CAUSE_CONCURRENT_LIMIT,
      scope: ResourceExhaustedScope.RESOURCE_EXHAUSTED_SCOPE_NAMESPACE,
    }),
  );
}

/** Makes the error of a start that met an existing run; clients read the run id from the detail. */
export function workflowAlreadyStarted(
  message: string,
  existing: { startRequestId: string; runId: string; firstExecutionRunId: string },
): RpcError {
  return new RpcError(
    status.ALREADY_EXISTS,
    message,
    failure('WorkflowExecutionAlreadyStartedFailure', existing),
  );
}

/** Makes the error of a start that met another run of its activity id. */
export function activityAlreadyStarted(existing: { startRequestId: string; runId: string }): RpcError {
  return new RpcError(
    status.ALREADY_EXISTS,
    'activity execution already started',
    failure('ActivityExecutionAlreadyStartedFailure', existing),
  );
}

/** Makes the error for a schedule id that is taken; its detail is that of a workflow, without a run. */
export function scheduleExists(scheduleId: string): RpcError {
  return new RpcError(
    status.ALREADY_EXISTS,
    `schedule "${scheduleId}" is already registered`,
    failure('WorkflowExecutionAlreadyStartedFailure'),
  );
}

/** Makes the error of a query on a run that closed before a worker ever had it. */
export function workflowNotReady(message: string): RpcError {
  return new RpcError(status.FAILED_PRECONDITION, message, failure('WorkflowNotReadyFailure'));
}

/** Makes the error of a query of a run whose workflow task fails again and again. */
export const failingTask = (): RpcError =>
  workflowNotReady('Unable to query workflow due to Workflow Task in failed state.');

/** Makes the error of a query whose handler failed or is missing; `cause` is the worker's `Failure`, if it sent one. */
export function queryFailed(message: string, cause: object | null | undefined): RpcError {
  return new RpcError(
    status.INVALID_ARGUMENT,
    message,
    failure('QueryFailedFailure', cause ? { failure: cause } : {}),
  );
}

export function permissionDenied(message: string): RpcError {
  return new RpcError(status.PERMISSION_DENIED, message, failure('PermissionDeniedFailure'));
}

export function unimplemented(method: string): RpcError {
  return new RpcError(
    status.UNIMPLEMENTED,
    `${method} is not implemented by the embedded engine; use ENGINE=dev-server or ENGINE=cluster`,
  );
}
