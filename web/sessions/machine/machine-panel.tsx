import { useQuery } from '@tanstack/react-query';
import { Waypoints } from 'lucide-react';
import type { ReactElement } from 'react';
import { follow } from '../../client/queries.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { RequestFailedError } from '../../client/request.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useRun } from '../../statechart/run/use-run.ts';
import type { MomentView } from '../time/use-moment.ts';
import type { Turns } from '../turns/rows.ts';
import { MachineAt } from './machine-at.tsx';
import { runAt } from './machine-moments.ts';

export interface MachinePanelProps {
  readonly session: string;
  readonly view: MomentView;
  readonly turns: Turns;
}

/** The session's state machine at the moment that the page shows. */
export function MachinePanel(props: MachinePanelProps): ReactElement {
  const workflowId = `session/${props.session}`;
  const runs = useQuery(
    follow('GET /v1/workflows/{workflow_id}/runs', { params: { workflow_id: workflowId } }),
  );
  const isUnknown = runs.error instanceof RequestFailedError && runs.error.status === 404;
  if (runs.data === undefined && !isUnknown)
    return runs.error === null ? (
      <Loading label="The state machine" rows={8} />
    ) : (
      <ErrorState error={runs.error} retry={runs.refetch} />
    );
  const { moments, held } = props.view;
  const at = held === undefined ? undefined : moments[held]?.at;
  const known = runs.data?.data ?? [];
  const run = at === undefined ? known[0] : runAt(known, at);
  if (run === undefined)
    return (
      <EmptyState icon={Waypoints} title="The machine has not run yet">
        <p>It starts with the first message.</p>
      </EmptyState>
    );
  return <RunOfMachine key={run.run_id} {...props} workflowId={workflowId} runId={run.run_id} />;
}

interface RunOfMachineProps extends MachinePanelProps {
  readonly workflowId: string;
  readonly runId: string;
}

function RunOfMachine(props: RunOfMachineProps): ReactElement {
  const run = useRun(props.workflowId, props.runId);
  const { chart, explained, error, retry, steps } = run;
  if (explained === undefined)
    return error === null ? (
      <Loading label="The statechart" rows={8} />
    ) : (
      <ErrorState error={error} retry={retry} />
    );
  if (chart === undefined || steps.length === 0)
    return (
      <EmptyState icon={Waypoints} title="There is no statechart here">
        <p>{explained.reason ?? 'The steps of this run are not known.'}</p>
      </EmptyState>
    );
  return <MachineAt {...props} run={run} chart={chart} />;
}
