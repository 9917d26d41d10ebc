import type { temporal } from '@temporalio/proto';

/** A command that the server refuses: the workflow task fails with this cause and message. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failedCause: temporal.api.enums.v1.WorkflowTaskFailedCause;

  constructor(failedCause: temporal.api.enums.v1.WorkflowTaskFailedCause, message: string) {
    super(message);
    this.failedCause = failedCause;
  }
}
