import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { follow } from '../../client/queries.ts';
import { Lasted, When } from '../../parts/when.tsx';
import type { Workflow } from '../actions/action-name.ts';
import { WorkflowStatus } from '../workflow-status.tsx';
import { Card } from '../../parts/card.tsx';

const WORDS = {
  continue_as_new: 'continues as new',
  retry: 'tried again after a failure',
  cron: 'the next time of its schedule',
  reset: 'reset',
  unknown: 'another start',
} as const;

/** The runs under this workflow id as one story, the first at the top. Left out where there is one alone. */
export function Chain({ workflow }: { readonly workflow: Workflow }): ReactElement | null {
  const { workflow_id, run_id } = workflow;
  const { data } = useQuery(
    follow('GET /v1/workflows/{workflow_id}/runs', { params: { workflow_id }, query: { limit: '100' } }),
  );
  const runs = data?.data.toReversed() ?? [];
  if (runs.length < 2) return null;
  return (
    <Card title={data?.next_page === null ? `${runs.length} runs` : `The newest ${runs.length} runs`}>
      <ol className="plain chain">
        {runs.map((run, index) => (
          <li key={run.run_id}>
            {index === 0 && run.continued_from === null ? null : (
              <span className="quiet small">{WORDS[run.continued_from?.kind ?? 'unknown']}</span>
            )}
            <Link
              to="/workflows/$workflowId"
              params={{ workflowId: workflow_id }}
              search={{ run_id: run.run_id }}
              aria-current={run.run_id === run_id ? 'page' : undefined}
            >
              <WorkflowStatus status={run.status} />
              <code>{run.run_id.slice(-8)}</code>
              <When at={run.start_time} />
              <span className="quiet">
                <Lasted from={run.start_time} to={run.close_time} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
