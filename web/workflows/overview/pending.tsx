import { Link } from '@tanstack/react-router';
import { Box, Clock, Cpu, GitFork, Waypoints } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatDuration } from '../../parts/format.ts';
import { Lasted, When } from '../../parts/when.tsx';
import type { Workflow } from '../actions/action-name.ts';
import { Card } from '../../parts/card.tsx';
import { PendingActivity } from './pending-activity.tsx';

/** What the run waits for now. */
export function Pending({ workflow }: { readonly workflow: Workflow }): ReactElement | null {
  const {
    pending_activities: activities,
    pending_children: children,
    pending_workflow_task: task,
    status,
  } = workflow;
  const timers = workflow.pending_timers ?? [];
  const operations = workflow.pending_nexus_operations;
  const none = activities.length + children.length + timers.length + operations.length === 0 && task === null;
  if (status !== 'running' && none) return null;
  return (
    <Card title="Waits for" wide>
      {none ? (
        <p className="quiet">
          {workflow.pending_timers === null
            ? 'Its history is still being read.'
            : 'Nothing of its own: it goes on when a signal or an update comes.'}
        </p>
      ) : (
        <ul className="plain pending">
          {task === null ? null : (
            <li>
              <Cpu size={15} aria-hidden />
              <span>
                <b>Workflow task</b> {task.state === 'started' ? 'is with a worker' : 'waits for a worker'}
                {task.scheduled_time === null ? null : (
                  <>
                    {' '}
                    for <Lasted from={task.scheduled_time} to={null} />
                  </>
                )}
                {task.attempt > 1 ? <span className="line-failure">, attempt {task.attempt}</span> : null}
              </span>
            </li>
          )}
          {activities.map((activity) => (
            <li key={activity.activity_id}>
              <Box size={15} aria-hidden />
              <PendingActivity activity={activity} />
            </li>
          ))}
          {timers.map(({ timer_id, fires_at, duration_ms, summary }) => (
            <li key={timer_id}>
              <Clock size={15} aria-hidden />
              <span>
                <b>{typeof summary?.value === 'string' ? summary.value : `Timer ${timer_id}`}</b> of{' '}
                {formatDuration(duration_ms)} fires <When at={fires_at} />
              </span>
            </li>
          ))}
          {children.map(({ workflow_id, run_id, workflow_type }) => (
            <li key={workflow_id}>
              <GitFork size={15} aria-hidden />
              <span>
                <b>{workflow_type}</b> as{' '}
                <Link
                  to="/workflows/$workflowId"
                  params={{ workflowId: workflow_id }}
                  search={run_id === null ? {} : { run_id }}
                >
                  {workflow_id}
                </Link>
              </span>
            </li>
          ))}
          {operations.map(({ scheduled_event_id, operation, endpoint, state, attempt }) => (
            <li key={scheduled_event_id}>
              <Waypoints size={15} aria-hidden />
              <span>
                <b>{operation}</b> at {endpoint}, {state.replace('_', ' ')}, attempt {attempt}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
