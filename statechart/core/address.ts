/** Where an actor is, so that a reference to it can be written down and sent to another workflow. */
export interface Address {
  readonly workflowId: string;
  /** The ids of the actors from the workflow's state machine down to the one meant; empty for the state machine itself. */
  readonly path: readonly string[];
}

export const isAddress = (value: unknown): value is Address =>
  typeof value === 'object' &&
  value !== null &&
  'workflowId' in value &&
  typeof value.workflowId === 'string' &&
  'path' in value &&
  Array.isArray(value.path) &&
  value.path.every((id) => typeof id === 'string');
