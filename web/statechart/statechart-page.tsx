import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CopyableId } from '../parts/copyable.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatechartTab } from './statechart-tab.tsx';

/** The statechart of one workflow, by itself. */
export function StatechartPage(): ReactElement {
  const { workflowId } = useParams({ from: '/statechart/$workflowId' });
  const { run_id } = useSearch({ from: '/statechart/$workflowId' });
  return (
    <>
      <PageHeader title={`Statechart of ${workflowId}`} facts={<CopyableId id={workflowId} />} />
      <StatechartTab workflowId={workflowId} runId={run_id} />
    </>
  );
}
