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

/** The key of a run in maps. */
export function runRefKey({ namespace, workflowId, runId }: RunRef): string {
  return `${namespace}\n${workflowId}\n${runId}`;
}
