import type { QueryClient } from '@tanstack/react-query';
import { outdate } from '../../client/queries.ts';

/** Has everything asked again that shows a workflow. */
export function outdateWorkflow(client: QueryClient): Promise<void> {
  return outdate(
    client,
    'GET /v1/workflows/{workflow_id}',
    'GET /v1/workflows/{workflow_id}/runs',
    'GET /v1/workflows/{workflow_id}/explanation',
  );
}
