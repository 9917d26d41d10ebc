import proto from '@temporalio/proto';
import type protobuf from 'protobufjs';

/**
 * The generated Temporal API messages. The package is CommonJS without statically visible names, so an ES module can
 * only take it as its default import; types come from `import type { temporal } from '@temporalio/proto'`.
 */
export const { temporal, google, grpc } = proto;
/** The same package in protobufjs's reflection, in which services and types are looked up by name. */
export const root = proto as unknown as protobuf.Root;

const { enums } = temporal.api;
export const {
  ActivityExecutionStatus,
  ActivityIdConflictPolicy,
  ActivityIdReusePolicy,
  BatchOperationState,
  BatchOperationType,
  BuildIdTaskReachability,
  CancelExternalWorkflowExecutionFailedCause,
  CommandType,
  ContinueAsNewInitiator,
  DescribeTaskQueueMode,
  EventType,
  ExecutionType,
  HistoryEventFilterType,
  NamespaceState,
  ParentClosePolicy,
  PendingActivityState,
  PendingWorkflowTaskState,
  QueryRejectCondition,
  QueryResultType,
  RateLimitSource,
  ResetReapplyExcludeType,
  ResetReapplyType,
  ResetType,
  ResourceExhaustedCause,
  ResourceExhaustedScope,
  RetryState,
  RoutingConfigUpdateState,
  ScheduleOverlapPolicy,
  SignalExternalWorkflowExecutionFailedCause,
  StartChildWorkflowExecutionFailedCause,
  TaskQueueKind,
  TaskQueueType,
  TimeoutType,
  UpdateAdmittedEventOrigin,
  UpdateWorkflowExecutionLifecycleStage,
  VersionDrainageStatus,
  VersioningBehavior,
  ContinueAsNewVersioningBehavior,
  WorkerDeploymentVersionStatus,
  WorkerStatus,
  WorkerVersioningMode,
  WorkflowExecutionStatus,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowTaskFailedCause,
} = enums.v1;

export const { Link, Payload, Payloads, Memo, SearchAttributes, Priority } = temporal.api.common.v1;
export const { PinnedOverrideBehavior } = temporal.api.workflow.v1.VersioningOverride;
export const { ResetPoints } = temporal.api.workflow.v1;
export const { Failure } = temporal.api.failure.v1;
export const { History, HistoryEvent } = temporal.api.history.v1;
export const { StartActivityExecutionRequest, StartBatchOperationRequest } = temporal.api.workflowservice.v1;
export const { UserMetadata } = temporal.api.sdk.v1;
export const { Schedule: ScheduleMessage } = temporal.api.schedule.v1;

/** The part of a protobuf message class that encodes and decodes. */
interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** A message as base64 text, the form in which protobuf values live inside a JSON record. */
export type EncodedMessage = string;

export function toEncoded<T>(type: MessageType<T>, message: T): EncodedMessage {
  return Buffer.from(type.encode(message).finish()).toString('base64');
}

export function fromEncoded<T>(type: MessageType<T>, encoded: EncodedMessage): T {
  return type.decode(Buffer.from(encoded, 'base64'));
}

export function fromEncodedOptional<T>(type: MessageType<T>, encoded: EncodedMessage | undefined): T | null {
  return encoded === undefined ? null : fromEncoded(type, encoded);
}
