/** Where the engine writes what an operator should know. The shape of pino's loggers. */
export interface EngineLogger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Names one run of one workflow. */
export interface RunRef {
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
}

export interface WorkflowExecutionRef {
  readonly workflowId: string;
  readonly runId: string;
}
