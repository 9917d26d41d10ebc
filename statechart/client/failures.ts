import { ApplicationFailure } from '@temporalio/common';
import { decodeData, type ReferenceCodec } from '../core/data.ts';
import { MACHINE_ERROR } from '../core/machine-error.ts';
import {
  ActorBusyError,
  ActorFailedError,
  ActorHeldError,
  EventInvalidError,
  EventNotAcceptedError,
  type ActorError,
} from './errors.ts';

const RESOURCE_EXHAUSTED = 8;
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

/** Told by their names, so that only a process that talks to a server needs `@temporalio/client`. */
const isNamed = (error: unknown, name: string): error is Error =>
  error instanceof Error && error.name === name;

/** Whether there is no open workflow of the id. */
export const isNotFound = (error: unknown): boolean =>
  isNamed(error, 'WorkflowNotFoundError') || hasCode(error, NOT_FOUND);

const isExhausted = (error: unknown): boolean => hasCode(error, RESOURCE_EXHAUSTED);

/** Whether the server neither asks nor updates the workflow, because its tasks have failed again and again. */
export const isTaskFailing = (error: unknown): error is Error =>
  hasCode(error, FAILED_PRECONDITION) && messageOf(error).includes('Workflow Task in failed state');

/** Whether no further update may wait, by the server's limit or the workflow's own. */
export const hasNoRoom = (error: unknown): boolean => isExhausted(error) || hasType(error, 'TooManyWaiting');

/** The update was accepted by a run that ended before it answered. */
export const isUnanswered = (error: unknown): boolean => hasType(error, 'AcceptedUpdateCompletedWorkflow');

const hasType = (error: unknown, type: string): boolean =>
  isNamed(error, 'WorkflowUpdateFailedError') &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === type;

/** What a call of gRPC throws says it in its innermost error. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return `${error.message} ${messageOf(error.cause)}`;
}

function hasCode(error: unknown, code: number): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    // What a call of gRPC throws has its status code and metadata.
    if ('code' in at && 'metadata' in at) return at.code === code;
  }
  return false;
}

/** An update's refusal or failure as an error of the client; undefined for what is none. */
export function updateError(
  workflowId: string,
  eventType: string,
  error: unknown,
  codec: ReferenceCodec,
): ActorError | undefined {
  if (isExhausted(error)) return new ActorBusyError(workflowId, error);
  if (!isNamed(error, 'WorkflowUpdateFailedError') || !(error.cause instanceof ApplicationFailure))
    return undefined;
  const { type, message } = error.cause;
  switch (type) {
    case 'EventNotAccepted':
      return new EventNotAcceptedError(workflowId, eventType, message);
    case 'InvalidEvent':
      return new EventInvalidError(workflowId, eventType, message);
    case 'MachineHeld':
      return new ActorHeldError(workflowId, message, null);
    case MACHINE_ERROR:
      return failedError(workflowId, error.cause, codec);
    default:
      return undefined;
  }
}

/** What ended a workflow that has failed; undefined when it was no failure of its own. */
export function resultError(
  workflowId: string,
  error: unknown,
  codec: ReferenceCodec,
): ActorError | undefined {
  if (!isNamed(error, 'WorkflowFailedError') || !(error.cause instanceof ApplicationFailure))
    return undefined;
  return failedError(workflowId, error.cause, codec);
}

function failedError(
  workflowId: string,
  failure: ApplicationFailure,
  codec: ReferenceCodec,
): ActorFailedError {
  const [thrown] = failure.details ?? [];
  const cause = failure.type === MACHINE_ERROR && thrown !== undefined ? decodeData(thrown, codec) : failure;
  return new ActorFailedError(workflowId, failure.message, cause);
}
