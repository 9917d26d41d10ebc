import { ApplicationFailure } from '@temporalio/workflow';
import type { AnyEventObject } from 'xstate';
import type { Interpreter } from '../core/interpreter.ts';
import { MACHINE_ERROR, type MachineError } from '../core/machine-error.ts';

/** What ends the workflow of a machine that has failed: a failed workflow task would be tried for ever. */
export function failureOf({ message, cause }: MachineError, interpreter: Interpreter): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: MACHINE_ERROR,
    nonRetryable: true,
    details: [shownOr(() => interpreter.encode(cause, 'error'))],
    ...(cause instanceof Error ? { cause } : {}),
  });
}

/** A value for an answer, or why it cannot be shown. */
export function shownOr(encode: () => unknown): unknown {
  try {
    return encode();
  } catch (error) {
    return `(${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The refusal of an event that has no transition now. */
export const eventNotAccepted = (event: AnyEventObject, state: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(
    `event '${event.type}' is not accepted in state '${state}'`,
    'EventNotAccepted',
  );
