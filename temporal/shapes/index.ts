/** The shapes of requests and answers, for whoever serves or reads them. */
export { batchBody, type BatchBody, MAX_LISTED, workflowBatch, type WorkflowBatch } from './batch.ts';
export type { Page } from './common.ts';
export { workflowComparison, type WorkflowComparison } from './comparison.ts';
export { workflowExplanation, type WorkflowExplanation } from './explanation.ts';
export { failure, failureCause, type Failure } from './failure.ts';
export {
  historyEvent,
  type HistoryEvent,
  historyFile,
  historyPage,
  type HistoryPage,
  historyStreamEvent,
  PAYLOAD_FORMS,
  type PayloadForm,
} from './history.ts';
export {
  cancelBody,
  queryBody,
  resetBody,
  signalBody,
  stackTrace,
  terminateBody,
  updateBody,
  workflowAction,
  workflowInterface,
  workflowQuery,
  workflowReset,
  workflowUpdate,
} from './messages.ts';
export { workflowNamespace } from './namespace.ts';
export { payload, type Payload } from './payload.ts';
export { pendingActivity, pendingChild, pendingTimer } from './pending.ts';
export type { Actor, HistoryEnd, HistoryRequest, PageRequest, RunName, WorkflowService } from './service.ts';
export { STATUSES, workflowCount, workflowPage, workflowSummary } from './summary.ts';
export { taskQueue } from './task-queue.ts';
export { workflow, workflowRunPage } from './workflow.ts';
