import type { TransferRecord } from './record.ts';

/** Puts the run's workflow task into its queue. */
export interface WorkflowTaskDispatch {
  readonly kind: 'workflow-task';
  readonly scheduledEventId: number;
  readonly scheduledTime: number;
  readonly queue: string;
  readonly sticky: boolean;
  readonly normalQueue: string;
}

/** Puts an attempt of an activity into its queue. */
export interface ActivityTaskDispatch {
  readonly kind: 'activity-task';
  readonly scheduledEventId: number;
  readonly attempt: number;
  readonly queue: string;
  readonly scheduledTime: number;
}

/** What has to happen outside of a run because of a change. */
export type Task =
  | WorkflowTaskDispatch
  | ActivityTaskDispatch
  | { readonly kind: 'transfer'; readonly transfer: TransferRecord }
  /** The worker that had the workflow task lost it: the updates and queries that it carried wait again. */
  | { readonly kind: 'return-updates-and-queries' }
  /** No workflow task is coming that could carry the waiting queries: each goes to a worker by itself. */
  | { readonly kind: 'dispatch-queries' }
  /** The run closed: its updates end. `continued` says that another run takes over. */
  | { readonly kind: 'abort-updates'; readonly continued: boolean };

/**
 * Whether a task is performed in the commit of the change that calls for it, which spares the commit that giving it to a
 * waiting worker takes. What a worker that had the workflow task loses goes back before the next one gets that task.
 * Everything else happens once the change is committed.
 */
export function joinsCommit({ kind }: Task): boolean {
  return kind === 'workflow-task' || kind === 'activity-task' || kind === 'return-updates-and-queries';
}
