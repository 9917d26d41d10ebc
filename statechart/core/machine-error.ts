/** The type of the failure that ends the workflow of a machine that has failed. Its first detail is what the machine threw. */
export const MACHINE_ERROR = 'MachineError';

/** A machine failed: an action, a guard or an assignment threw, or an actor's error had no handler. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  constructor(machineId: string, cause: unknown) {
    super(`machine '${machineId}' failed: ${reasonOf(cause)}`, { cause });
  }
}

const reasonOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string'
    ? cause.message
    : String(cause);
