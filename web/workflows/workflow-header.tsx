import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { formatCount } from '../parts/format.ts';
import { CopyButton } from '../parts/copyable.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Lasted, When } from '../parts/when.tsx';
import { ActionBar } from './actions/action-bar.tsx';
import type { Workflow } from './actions/action-name.ts';
import type { HistoryEvent } from './history/history-event.ts';
import { WorkflowStatus } from './workflow-status.tsx';

interface WorkflowHeaderProps {
  readonly workflow: Workflow;
  readonly events: readonly HistoryEvent[];
}

/** What a workflow is, in two lines, and what may be done to it. */
export function WorkflowHeader({ workflow, events }: WorkflowHeaderProps): ReactElement {
  const { workflow_id, run_id, workflow_type, status, start_time, execution_time, close_time } = workflow;
  const { continued_from: before, continued_to: after } = workflow;
  const run = (label: string, id: string): ReactElement => (
    <Link to="/workflows/$workflowId" params={{ workflowId: workflow_id }} search={{ run_id: id }}>
      {label}
    </Link>
  );
  return (
    <PageHeader
      title={workflow_id}
      heading={
        <>
          {workflow_id} <CopyButton text={workflow_id} what="the workflow id" />
        </>
      }
      back={{ to: '/workflows', label: 'Workflows' }}
      status={<WorkflowStatus status={status} />}
      facts={
        <>
          <span className="fact-type">{workflow_type}</span>
          <span>
            started <When at={start_time} />
          </span>
          <span>
            {close_time === null ? 'for' : 'took'}{' '}
            <Lasted from={execution_time ?? start_time} to={close_time} />
          </span>
          <span className="figures">
            {formatCount(Math.max(events.length, workflow.history_length ?? 0))} events
          </span>
          <span title={run_id}>
            run <code>{run_id.slice(-8)}</code> <CopyButton text={run_id} what="the run id" />
          </span>
          {before === null ? null : run('the run before', before.run_id)}
          {after === null ? null : run('the next run', after.run_id)}
        </>
      }
      actions={<ActionBar workflow={workflow} events={events} />}
    />
  );
}
