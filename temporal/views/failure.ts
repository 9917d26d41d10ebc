import type { Failure } from '../shapes/failure.ts';
import {
  type Fields,
  fieldsOf,
  isFields,
  isSet,
  maybeFields,
  maybeText,
  textOf,
  wordOf,
} from '../wire/fields.ts';
import { decodedOf, payloadsOf } from './decoded.ts';

const INFO_KINDS = {
  applicationFailureInfo: 'application',
  timeoutFailureInfo: 'timeout',
  canceledFailureInfo: 'canceled',
  terminatedFailureInfo: 'terminated',
  serverFailureInfo: 'server',
  resetWorkflowFailureInfo: 'reset',
  activityFailureInfo: 'activity',
  childWorkflowExecutionFailureInfo: 'child_workflow',
  nexusOperationExecutionFailureInfo: 'nexus_operation',
  nexusHandlerFailureInfo: 'nexus_handler',
} as const satisfies Record<string, Failure['kind']>;

/** Causes below one another at most. */
const DEPTH = 32;

/** A failure whose payloads have been decoded; null where there is none. */
export function failureOf(message: Fields, key: string): Failure | null {
  const failure = maybeFields(message, key);
  return failure === null ? null : viewOf(failure, 0);
}

function viewOf(failure: Fields, depth: number): Failure {
  const entry = Object.entries(INFO_KINDS).find(([name]) => isFields(failure[name]));
  const [name, kind] = entry ?? ['', 'unknown' as const];
  const info = fieldsOf(failure, name);
  const cause = maybeFields(failure, 'cause');
  return {
    kind,
    type: kind === 'timeout' ? wordOf(info, 'timeoutType', 'TIMEOUT_TYPE_') : maybeText(info, 'type'),
    ...textsOf(failure),
    source: textOf(failure, 'source'),
    non_retryable: isSet(info, 'nonRetryable'),
    retry_state: wordOf(info, 'retryState', 'RETRY_STATE_') || null,
    ...subjectOf(kind, info),
    details: payloadsOf(
      info,
      kind === 'application' || kind === 'canceled' ? 'details' : 'lastHeartbeatDetails',
    ),
    cause: cause === null || depth >= DEPTH ? null : viewOf(cause, depth + 1),
  };
}

/** A client's codec may have moved message and stack trace into a payload. */
function textsOf(failure: Fields): Pick<Failure, 'message' | 'stack_trace'> {
  const plain = { message: textOf(failure, 'message'), stack_trace: textOf(failure, 'stackTrace') };
  const encoded = maybeFields(failure, 'encodedAttributes');
  const value = encoded === null ? undefined : decodedOf(encoded)?.value;
  if (!isFields(value)) return plain;
  return {
    message: textOf(value, 'message') || plain.message,
    stack_trace: textOf(value, 'stack_trace') || plain.stack_trace,
  };
}

function subjectOf(
  kind: Failure['kind'],
  info: Fields,
): Pick<Failure, 'subject' | 'subject_id' | 'identity'> {
  const identity = maybeText(info, 'identity');
  switch (kind) {
    case 'activity':
      return {
        subject: maybeText(fieldsOf(info, 'activityType'), 'name'),
        subject_id: maybeText(info, 'activityId'),
        identity,
      };
    case 'child_workflow':
      return {
        subject: maybeText(fieldsOf(info, 'workflowType'), 'name'),
        subject_id: maybeText(fieldsOf(info, 'workflowExecution'), 'workflowId'),
        identity,
      };
    case 'nexus_operation':
      return {
        subject: maybeText(info, 'operation'),
        subject_id: maybeText(info, 'operationToken'),
        identity,
      };
    default:
      return { subject: null, subject_id: null, identity };
  }
}
