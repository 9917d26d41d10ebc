import { Link } from '@tanstack/react-router';
import type { TableColumn } from '../../parts/table-columns.ts';
import { Lasted, When } from '../../parts/when.tsx';
import { WorkflowStatus } from '../workflow-status.tsx';
import type { WorkflowRow } from './use-workflow-list.ts';

export const WORKFLOW_COLUMNS: readonly TableColumn<WorkflowRow>[] = [
  {
    id: 'id',
    title: 'Workflow',
    width: 'minmax(0, 2.6fr)',
    cell: ({ workflow_id, run_id }) => (
      <Link
        to="/workflows/$workflowId"
        params={{ workflowId: workflow_id }}
        search={{ run_id }}
        tabIndex={-1}
        className="row-link"
        title={workflow_id}
      >
        {workflow_id}
      </Link>
    ),
  },
  { id: 'status', title: 'Status', width: '164px', cell: ({ status }) => <WorkflowStatus status={status} /> },
  { id: 'type', title: 'Type', hideOn: 'phone', cell: ({ workflow_type }) => workflow_type },
  {
    id: 'queue',
    title: 'Task queue',
    hideOn: 'tablet',
    cell: ({ task_queue }) => <span title={task_queue}>{task_queue}</span>,
  },
  {
    id: 'events',
    title: 'Events',
    width: '64px',
    align: 'end',
    hideOn: 'tablet',
    cell: ({ history_length }) => <span className="figures">{history_length || '–'}</span>,
  },
  {
    id: 'took',
    title: 'Took',
    width: '84px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ start_time, execution_time, close_time }) => (
      <Lasted from={execution_time ?? start_time} to={close_time} />
    ),
  },
  {
    id: 'started',
    title: 'Started',
    width: '92px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ start_time }) => <When at={start_time} />,
  },
];
