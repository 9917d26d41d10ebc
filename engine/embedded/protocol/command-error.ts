import type { temporal } from '@temporalio/proto';
import { LONGEST_ID, bytesOf, isTooLong } from './id-length.ts';
import { WorkflowTaskFailedCause } from './proto.ts';
import { RpcError } from './rpc-error.ts';

/** A command that the server refuses: the workflow task fails with this cause and message. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly failedCause: temporal.api.enums.v1.WorkflowTaskFailedCause;

  constructor(failedCause: temporal.api.enums.v1.WorkflowTaskFailedCause, message: string) {
    super(message);
    this.failedCause = failedCause;
  }
}

type ShortName<Name> = Name extends `WORKFLOW_TASK_FAILED_CAUSE_${infer Short}` ? Short : never;
type Cause = ShortName<keyof typeof WorkflowTaskFailedCause>;

/**
 * Makes the error of a bad command. Its message begins with the name of the cause, such as `BadStartTimerAttributes`.
 */
export function badCommand(cause: Cause, reason: string): CommandError {
  const name = cause.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  return new CommandError(
    WorkflowTaskFailedCause[`WORKFLOW_TASK_FAILED_CAUSE_${cause}`],
    `${name}: ${reason}`,
  );
}

/** Throws that a command comes without its attributes. */
export function requireAttributes<T>(cause: Cause, command: string, attributes: T | null | undefined): T {
  if (attributes != null) return attributes;
  throw badCommand(cause, `${command}CommandAttributes is not set on ${command}Command.`);
}

/** Throws that a text of a command is longer than ids and names may be; `around` says more of the command. */
export function requireShort(
  cause: Cause,
  field: string,
  command: string,
  value: string,
  { before = '', after = '' }: { readonly before?: string; readonly after?: string } = {},
): void {
  if (!isTooLong(value)) return;
  throw badCommand(
    cause,
    `${field} on ${command}Command exceeds length limit. ${before}${field}=${value} Length=${bytesOf(value)} Limit=${LONGEST_ID}${after}`,
  );
}

/** A command carries too much. The worker would send the same again, so that the run ends with this message. */
export class PayloadTooLargeError extends CommandError {
  override readonly name = 'PayloadTooLargeError';

  constructor(cause: Cause, reason: string) {
    const { failedCause, message } = badCommand(cause, reason);
    super(failedCause, message);
  }
}

/** Runs a check that throws `RpcError`, which becomes the error of a bad command with what `tell` makes of its text. */
export function checkCommand<T>(
  cause: Cause,
  check: () => T,
  tell: (message: string) => string = (message) => message,
): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof RpcError ? badCommand(cause, tell(error.message)) : error;
  }
}
