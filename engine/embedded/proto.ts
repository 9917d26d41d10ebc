import proto from '@temporalio/proto';

/**
 * The generated Temporal API messages. The package is CommonJS without statically visible names, so an ES module can
 * only take it as its default import; types come from `import type { temporal } from '@temporalio/proto'`.
 */
export const { temporal, google, grpc } = proto;
export const root = proto;

export const { EventType, CommandType, TaskQueueKind, TaskQueueType, RetryState, TimeoutType } =
  temporal.api.enums.v1;
export const { WorkflowExecutionStatus, WorkflowTaskFailedCause, ParentClosePolicy } = temporal.api.enums.v1;

/** The parts of a protobuf message class that storage and error details need. */
export interface MessageType<T> {
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
