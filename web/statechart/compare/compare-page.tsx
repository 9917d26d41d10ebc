import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import type { ReactElement } from 'react';
import { read } from '../../client/queries.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { CompareSearch } from '../statechart-search.ts';
import { ComparedRuns } from './compared-runs.tsx';

type Chosen = CompareSearch & { readonly left: string; readonly right: string };

/** Two runs of a machine side by side, to where they part. */
export function ComparePage(): ReactElement {
  const search = useSearch({ from: '/workflows/compare' });
  const { left, right } = search;
  return (
    <>
      <PageHeader title="Two runs compared" back={{ to: '/workflows', label: 'Workflows' }} />
      {left === undefined || right === undefined ? (
        <EmptyState icon={GitCompareArrows} title="Which two runs?">
          <p>The address names them: ?left= and ?right= with the ids of two workflows of the same machine.</p>
        </EmptyState>
      ) : (
        <Compared {...search} left={left} right={right} />
      )}
    </>
  );
}

function Compared({ left, left_run_id, right, right_run_id }: Chosen): ReactElement {
  const query = {
    left,
    right,
    ...(left_run_id === undefined ? {} : { left_run_id }),
    ...(right_run_id === undefined ? {} : { right_run_id }),
  };
  const { data, error, refetch } = useQuery(read('GET /v1/workflow_comparison', { query }));
  if (data === undefined)
    return error === null ? (
      <Loading label="The comparison" rows={8} />
    ) : (
      <ErrorState error={error} retry={refetch} />
    );
  return <ComparedRuns comparison={data} />;
}
