import { z } from 'zod';
import { Query } from '@steadyhand/sessions';
import type { PageRequest, RunName, WorkflowService } from '@steadyhand/temporal/shapes';
import { actorOf, requireWorkflowAccess } from '../../auth/workflow-access.ts';
import { type Call, routesOf } from '../../routing/route.ts';

/** What the routes of workflows have in common. */

export interface WorkflowRouteDeps {
  readonly workflows: WorkflowService;
  /** It is aborted when the server drains. */
  readonly draining: AbortSignal;
  /** It is aborted, with an error of the API, shortly before answers under way are cut. */
  readonly ending: AbortSignal;
}

export const route = routesOf<WorkflowRouteDeps>()('Workflows', {
  workflow_id: 'A workflow’s id, percent-encoded: `session%2Fsesn_…`',
  batch_id: 'The id of a batch',
  name: 'A task queue’s name, percent-encoded',
});

/** The Temporal service fails or cannot be reached, or does not answer in time. */
export const FAULTS = [500, 504] as const;

export const limit = (most: number, fallback: number): z.ZodDefault<z.ZodInt> =>
  z.int().min(1).max(most).default(fallback);
export const page = z.string().describe('The `next_page` of the page before').optional();
export const runId = z.string().describe('Default: the newest run').optional();

type AnyCall = Pick<Call<never, unknown>, 'req' | 'res' | 'search'>;

/** The run that a path and a query name, for a key that may read it. */
export function runOf({
  params,
  search,
  res,
}: AnyCall & { readonly params: { readonly workflow_id: string } }): RunName {
  requireWorkflowAccess(res, 'read');
  return { workflowId: params.workflow_id, runId: search.get('run_id') || null };
}

/** Who acts, where the key may. */
export function actor({ res }: Pick<AnyCall, 'res'>): ReturnType<typeof actorOf> {
  requireWorkflowAccess(res, 'act');
  return actorOf(res);
}

export function pageOf(
  search: URLSearchParams,
  shape: { readonly limit: ReturnType<typeof limit>; readonly page: typeof page },
): PageRequest {
  const query = new Query(search, shape);
  return { limit: query.integer('limit'), page: query.text('page') ?? null };
}
