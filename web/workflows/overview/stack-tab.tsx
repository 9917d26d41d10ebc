import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { read } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { When } from '../../parts/when.tsx';

interface StackTabProps {
  readonly workflowId: string;
  readonly runId: string;
}

/** Where the workflow's code stands, as a worker tells it. */
export function StackTab({ workflowId, runId }: StackTabProps): ReactElement {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery(
    read('GET /v1/workflows/{workflow_id}/stack_trace', {
      params: { workflow_id: workflowId },
      query: { run_id: runId },
    }),
  );
  if (data === undefined)
    return error === null ? <Loading rows={4} /> : <ErrorState error={error} retry={refetch} />;
  return (
    <>
      <div className="filter-bar">
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          <RotateCw size={14} aria-hidden />
          Ask again
        </Button>
        <span className="quiet small">
          asked <When at={new Date(dataUpdatedAt).toISOString()} />
        </span>
      </div>
      {data.stack_trace === null || data.stack_trace === '' ? (
        <EmptyState title="There is no stack trace">
          <p>{data.error ?? 'None of the workflow’s code waits for anything.'}</p>
        </EmptyState>
      ) : (
        <CodeBlock code={data.stack_trace} label="Stack trace" />
      )}
    </>
  );
}
