import type { temporal } from '@temporalio/proto';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';

/**
 * What visibility knows about one run: the row that ListWorkflowExecutions shows. It is written whole, in the
 * transaction that changes the run, whenever one of its fields changes (start, upsert of search attributes or memo,
 * close).
 *
 * Times are nanoseconds since the epoch; the store truncates them to microseconds, as the server's stores do.
 */
export interface VisibilityRecord {
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
  readonly status: temporal.api.enums.v1.WorkflowExecutionStatus;
  readonly startTime: bigint;
  /** The start time plus the first task's back-off (start delay, retry), if there is one. */
  readonly executionTime: bigint;
  /** Is present when the run is closed, and only then. */
  readonly closeTime?: bigint;
  /** This figure and the next two are listed for closed runs only. */
  readonly historyLength?: number;
  readonly historySizeBytes?: number;
  readonly stateTransitionCount?: number;
  readonly taskQueue: string;
  readonly memo: Record<string, temporal.api.common.v1.IPayload>;
  /** The attributes by alias, custom and predefined ones, as `SearchAttributeRegistry.validate` returned them. */
  readonly searchAttributes: Record<string, temporal.api.common.v1.IPayload>;
  readonly parent?: WorkflowExecutionRef;
  /** The run at the top of the tree of children; the run itself when it has no parent. */
  readonly root: WorkflowExecutionRef;
}
