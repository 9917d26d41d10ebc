import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { follow } from '../client/queries.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Problem } from '../parts/problem.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { RequestFailedError } from '../client/request.ts';
import type { Workflow } from './actions/action-name.ts';
import { outdateWorkflow } from './actions/outdate.ts';
import { useGroups } from './history/use-groups.ts';
import { useHistory } from './history/use-history.ts';
import { QueueNotice } from './overview/queue-notice.tsx';
import { withEvent } from './run-search.ts';
import { WorkflowHeader } from './workflow-header.tsx';
import { WORKFLOW_TABS } from './workflow-tabs.tsx';

/** Shows one run of a workflow; the newest unless the address names another. */
export function WorkflowPage(): ReactElement {
  const { workflowId } = useParams({ from: '/workflows/$workflowId' });
  const { run_id } = useSearch({ from: '/workflows/$workflowId' });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    follow('GET /v1/workflows/{workflow_id}', {
      params: { workflow_id: workflowId },
      query: run_id === undefined ? {} : { run_id },
    }),
  );
  // The workflow before this one is no answer about it.
  const workflow = isPlaceholderData && data?.workflow_id !== workflowId ? undefined : data;
  if (workflow !== undefined) return <WorkflowView key={workflow.run_id} workflow={workflow} />;
  const isGone = error instanceof RequestFailedError && error.status === 404;
  return (
    <>
      <PageHeader title={workflowId} back={{ to: '/workflows', label: 'Workflows' }} />
      {error === null ? (
        <Loading rows={8} />
      ) : isGone ? (
        <EmptyState title="There is no such workflow">
          <p>{error.message} Closed runs are kept for a while only.</p>
        </EmptyState>
      ) : (
        <ErrorState error={error} retry={refetch} />
      )}
    </>
  );
}

function WorkflowView({ workflow }: { readonly workflow: Workflow }): ReactElement {
  const { workflow_id, run_id, status, task_queue } = workflow;
  const { tab = 'overview', event } = useSearch({ from: '/workflows/$workflowId' });
  const navigate = useNavigate({ from: '/workflows/$workflowId' });
  const client = useQueryClient();
  const { events, ended, problem } = useHistory(workflow_id, run_id);
  const groups = useGroups(events);
  useEffect(() => {
    // What the history ends with changes the rest of the page as well.
    if (ended) void outdateWorkflow(client);
  }, [ended, client]);
  const onEvent = (next: number | undefined): void =>
    void navigate({
      search: (search) => withEvent(search, next),
      replace: true,
      resetScroll: false,
    });
  const history = { events, groups, live: !ended && status === 'running', event, onEvent };
  const tabs = WORKFLOW_TABS.filter(({ fits }) => fits?.(workflow) ?? true);
  const chosen = tabs.find(({ value }) => value === tab) ?? tabs[0];
  return (
    <div className="workflow">
      <WorkflowHeader workflow={workflow} events={events} />
      {status === 'running' ? <QueueNotice name={task_queue} /> : null}
      <Problem text={problem} />
      <Tabs
        label="What is shown of the workflow"
        tabs={tabs.map(({ value, label, content }) => ({
          value,
          label,
          content: () => content({ workflow, history }),
        }))}
        value={chosen?.value ?? 'overview'}
        onChange={(next) =>
          void navigate({ search: (search) => ({ ...search, tab: next }), replace: true, resetScroll: false })
        }
      />
    </div>
  );
}
