import { status } from '@grpc/grpc-js';

/** One entry of `google.rpc.Status.details`: the full message name and a plain object of that type. */
export interface ErrorDetail {
  /** For example `temporal.api.errordetails.v1.NotFoundFailure`. */
  readonly typeName: string;
  readonly value: object;
}

/** An error that the caller of an RPC sees: gRPC code, exact message, and typed details in `grpc-status-details-bin`. */
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

function failure(name: string, value: object = {}): ErrorDetail[] {
  return [{ typeName: `temporal.api.errordetails.v1.${name}`, value }];
}

/** A request that can never succeed as sent. The real server attaches no detail. */
export function invalidArgument(message: string): RpcError {
  return new RpcError(status.INVALID_ARGUMENT, message);
}

/** A run, activity or update that does not exist (any more), with `NotFoundFailure`. */
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

/** A start that met an existing run; clients read the run id from the detail. */
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

export function failedPrecondition(message: string): RpcError {
  return new RpcError(status.FAILED_PRECONDITION, message);
}

/** A query on a run that closed before a worker ever saw it. */
export function workflowNotReady(message: string): RpcError {
  return new RpcError(status.FAILED_PRECONDITION, message, failure('WorkflowNotReadyFailure'));
}

/** A query whose handler failed or is not registered; `cause` is the worker's `Failure`, if it sent one. */
export function queryFailed(message: string, cause: object | null | undefined): RpcError {
  return new RpcError(
    status.INVALID_ARGUMENT,
    message,
    failure('QueryFailedFailure', cause ? { failure: cause } : {}),
  );
}

/** A call without the engine's token, or with another one. */
export function unauthenticated(message: string): RpcError {
  return new RpcError(status.UNAUTHENTICATED, message);
}

export function permissionDenied(message: string): RpcError {
  return new RpcError(status.PERMISSION_DENIED, message, failure('PermissionDeniedFailure'));
}

export function resourceExhausted(message: string): RpcError {
  return new RpcError(status.RESOURCE_EXHAUSTED, message);
}

export function deadlineExceeded(message: string): RpcError {
  return new RpcError(status.DEADLINE_EXCEEDED, message);
}

export function unavailable(message: string): RpcError {
  return new RpcError(status.UNAVAILABLE, message);
}

export function unimplemented(method: string): RpcError {
  return new RpcError(
    status.UNIMPLEMENTED,
    `${method} is not implemented by the embedded engine; use ENGINE=dev-server or ENGINE=cluster`,
  );
}

export function internal(message: string): RpcError {
  return new RpcError(status.INTERNAL, message);
}
