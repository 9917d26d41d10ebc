import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CopyableId } from '../../parts/copyable.tsx';
import { formatBytes, formatCount, formatDuration } from '../../parts/format.ts';
import { KeyValues } from '../../parts/key-values.tsx';
import { When } from '../../parts/when.tsx';
import type { Workflow } from '../actions/action-name.ts';

export function Facts({ workflow }: { readonly workflow: Workflow }): ReactElement {
  const { parent, timeouts, history_length, history_size_bytes, versioning } = workflow;
  const limits = [
    ['execution', timeouts.execution_ms],
    ['run', timeouts.run_ms],
    ['task', timeouts.task_ms],
  ].flatMap(([name, ms]) => (typeof ms === 'number' ? [`${name} ${formatDuration(ms)}`] : []));
  return (
    <KeyValues
      label="About this run"
      entries={[
        ['Run id', <CopyableId key="run" id={workflow.run_id} />],
        ['Namespace', workflow.namespace],
        ['Started', <When key="start" at={workflow.start_time} as="exact" />],
        [
          'Ended',
          workflow.close_time === null ? undefined : <When key="end" at={workflow.close_time} as="exact" />,
        ],
        [
          'History',
          history_length === null
            ? undefined
            : `${formatCount(history_length)} events${history_size_bytes === null ? '' : `, ${formatBytes(history_size_bytes)}`}`,
        ],
        ['Started by', workflow.started_by ?? undefined],
        [
          'Parent',
          parent === null ? undefined : (
            <Link
              key="parent"
              to="/workflows/$workflowId"
              params={{ workflowId: parent.workflow_id }}
              search={{ run_id: parent.run_id }}
            >
              {parent.workflow_id}
            </Link>
          ),
        ],
        ['Time limits', limits.length === 0 ? undefined : limits.join(', ')],
        ['Attempt', workflow.attempt > 1 ? String(workflow.attempt) : undefined],
        ['Cron', workflow.cron_schedule ?? undefined],
        ['Worker build', versioning?.build_id ?? undefined],
      ]}
    />
  );
}
