import type { BatchBody, WorkflowBatch } from './batch.ts';
import type { Page } from './common.ts';
import type { WorkflowComparison } from './comparison.ts';
import type { WorkflowExplanation } from './explanation.ts';
import type { HistoryEvent, HistoryPage, PayloadForm } from './history.ts';
import type {
  CancelBody,
  QueryBody,
  ResetBody,
  SignalBody,
  StackTrace,
  TerminateBody,
  UpdateBody,
  WorkflowAction,
  WorkflowInterface,
  WorkflowQuery,
  WorkflowReset,
  WorkflowUpdate,
} from './messages.ts';
import type { WorkflowNamespace } from './namespace.ts';
import type { Payload } from './payload.ts';
import type { WorkflowCount, WorkflowSummary } from './summary.ts';
import type { TaskQueue } from './task-queue.ts';
import type { Workflow, WorkflowRun } from './workflow.ts';

/** A workflow, and one of its runs; null: the newest. */
export interface RunName {
  readonly workflowId: string;
  readonly runId: string | null;
}

/** A run, by both its names. */
export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** Where a list goes on. */
export interface PageRequest {
  readonly limit: number;
  /** The `next_page` of the page before. */
  readonly page: string | null;
}

export interface HistoryRequest extends PageRequest {
  readonly order: 'asc' | 'desc';
  /** Waits for news where there is nothing more. */
  readonly wait: boolean;
  readonly payloads: PayloadForm;
}

export interface ExplainRequest extends PageRequest {
  /** Begins with the step of this number; from 1. */
  readonly fromStep: number;
  /** Only steps that came or were changed when the history had more events than these; 0 for all. */
  readonly afterEvent: number;
  /** Whether the machine's definition and its events' schemas are wanted. */
  readonly definition: boolean;
}

/** How a history was read to its end. */
export interface HistoryEnd {
  readonly lastEventId: number;
  readonly closedBy: string;
  readonly nextRunId: string | null;
}

/** Whoever acts, by the name of the key; written into histories. */
export interface Actor {
  readonly identity: string;
}

/** Where a payload stands: in an event of the history, or in what is described. */
export interface PayloadPlace {
  /** Null: the description. */
  readonly eventId: number | null;
  /** The fields down to the payload, with dots between. */
  readonly path: string;
}

/**
 * The workflows of the namespace. The methods reject with the API's errors: `invalid_request_error` for what the server refuses,
 * `not_found_error`, `conflict_error` for a run that has closed, `unsupported_error` for what the engine cannot do,
 * `timeout_error` where no worker answers.
 */
export interface WorkflowService {
  namespace(): Promise<Omit<WorkflowNamespace, 'access'>>;
  list(query: string, page: PageRequest): Promise<Page<WorkflowSummary>>;
  count(query: string): Promise<WorkflowCount>;
  describe(run: RunName): Promise<Workflow>;
  /** The id of the run that is meant. */
  resolve(run: RunName): Promise<string>;
  runs(workflowId: string, page: PageRequest): Promise<Page<WorkflowRun>>;
  history(run: RunName, request: HistoryRequest, signal: AbortSignal): Promise<HistoryPage>;
  /** Events as they come, from the one after `after` on; returns when the run has closed. */
  follow(
    run: Run,
    from: { readonly after: number; readonly payloads: PayloadForm },
    signal: AbortSignal,
  ): AsyncGenerator<HistoryEvent, HistoryEnd | undefined, undefined>;
  /** The text of the file that Temporal's tools read, in pieces. */
  historyFile(run: Run, signal: AbortSignal): AsyncGenerator<string, void, undefined>;
  payload(run: RunName, place: PayloadPlace): Promise<Payload>;
  explain(run: RunName, request: ExplainRequest): Promise<WorkflowExplanation>;
  /** Where two runs part; paths of `ignore` may differ. Rejects with `invalid_request_error` where a run cannot be explained. */
  compare(left: RunName, right: RunName, ignore: readonly string[]): Promise<WorkflowComparison>;
  stackTrace(run: RunName): Promise<StackTrace>;
  interface(run: RunName): Promise<WorkflowInterface>;
  query(workflowId: string, body: QueryBody): Promise<WorkflowQuery>;
  signal(workflowId: string, body: SignalBody, actor: Actor): Promise<WorkflowAction>;
  update(workflowId: string, body: UpdateBody, actor: Actor): Promise<WorkflowUpdate>;
  cancel(workflowId: string, body: CancelBody, actor: Actor): Promise<WorkflowAction>;
  terminate(workflowId: string, body: TerminateBody, actor: Actor): Promise<WorkflowAction>;
  reset(workflowId: string, body: ResetBody, actor: Actor): Promise<WorkflowReset>;
  startBatch(body: BatchBody, actor: Actor): Promise<WorkflowBatch>;
  batch(id: string): Promise<WorkflowBatch>;
  taskQueue(name: string): Promise<TaskQueue>;
}
