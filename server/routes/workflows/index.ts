import * as shapes from '@steadyhand/temporal/shapes';
import { named } from '../../routing/components.ts';
import { actRoutes } from './act.ts';
import { findRoutes } from './find.ts';
import { historyRoutes } from './history.ts';

named({
  workflow: shapes.workflow,
  workflowSummary: shapes.workflowSummary,
  workflowCount: shapes.workflowCount,
  workflowExplanation: shapes.workflowExplanation,
  workflowFailure: shapes.failure,
  workflowPayload: shapes.payload,
  workflowNamespace: shapes.workflowNamespace,
  workflowBatch: shapes.workflowBatch,
  workflowBatchCreate: shapes.batchBody,
  workflowUpdate: shapes.workflowUpdate,
  workflowInterface: shapes.workflowInterface,
  workflowStackTrace: shapes.stackTrace,
  pendingActivity: shapes.pendingActivity,
  pendingChild: shapes.pendingChild,
  pendingTimer: shapes.pendingTimer,
  taskQueue: shapes.taskQueue,
});

named({ workflowFailure: shapes.failureCause });

/** The routes by which the workflows of the namespace are watched and worked on. */
export const workflowRoutes = [...findRoutes, ...historyRoutes, ...actRoutes];
