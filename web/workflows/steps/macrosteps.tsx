import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type ApiAnswer, call } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { Loading } from '../../parts/loading.tsx';
import { RowList } from '../history/row-list.tsx';
import type { Macrostep } from './macrostep.ts';
import { NotExplained } from './not-explained.tsx';
import { StepBody } from './step-body.tsx';
import { StepLine } from './step-line.tsx';

export type Explanation = ApiAnswer<'GET /v1/workflows/{workflow_id}/explanation'>;

interface MacrostepsProps {
  readonly workflowId: string;
  readonly runId: string;
  readonly live: boolean;
  readonly event: number | undefined;
  readonly onEvent: (event: number | undefined) => void;
}

const ROUTE = 'GET /v1/workflows/{workflow_id}/explanation';
const LIVE_MS = 2000;

/** What an actor's state machine did with each event. */
export function Macrosteps({ workflowId, runId, live, event, onEvent }: MacrostepsProps): ReactElement {
  const params = { workflow_id: workflowId };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [ROUTE, params, { run_id: runId, pages: 'all' }],
    queryFn: ({ pageParam, signal }) =>
      call(ROUTE, {
        params,
        query: { run_id: runId, limit: '500', ...(pageParam === '' ? {} : { page: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_page }) => next_page ?? undefined,
    refetchInterval: live ? LIVE_MS : false,
  });
  const last = data?.pages.at(-1);
  if (last === undefined)
    return error === null ? <Loading rows={6} /> : <ErrorState error={error} retry={refetch} />;
  if (!last.known) return <NotExplained explanation={last} />;
  const steps = data?.pages.flatMap((page) => page.steps as unknown as readonly Macrostep[]) ?? [];
  const open = steps.find(
    ({ events }) => event !== undefined && events.first <= event && event <= events.last,
  );
  return (
    <>
      <StepsSummary explanation={last} shown={steps.length} />
      {steps.length === 0 ? (
        <EmptyState title="The machine has not begun yet" />
      ) : (
        <RowList
          label="Macrosteps"
          rows={steps}
          rowKey={({ number }) => number}
          open={open?.number}
          onToggle={(step) => onEvent(step === open ? undefined : step.events.first)}
          lineClass={() => 'step-line'}
          line={(step) => <StepLine step={step} />}
          body={(step) => <StepBody step={step} />}
        />
      )}
      {hasNextPage ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show further steps
        </Button>
      ) : null}
    </>
  );
}

function StepsSummary({
  explanation,
  shown,
}: {
  readonly explanation: Explanation;
  readonly shown: number;
}): ReactElement {
  const { machine, explanation: told } = explanation;
  const divergence = told?.divergence as { readonly reason?: string } | null | undefined;
  const held = told?.held as { readonly reason?: string } | null | undefined;
  return (
    <>
      <p className="steps-summary">
        {machine === null ? null : (
          <span>
            Machine <code>{machine.id}</code>
            {machine.version === null ? '' : ` ${machine.version}`}
          </span>
        )}
        {told === null ? null : (
          <span>
            {told.status}
            {told.state === '' ? null : (
              <>
                {' '}
                in <code className="state-path">{told.state}</code>
              </>
            )}
          </span>
        )}
        <span className="quiet figures">{formatCount(told?.step_count ?? shown)} macrosteps</span>
      </p>
      {divergence == null ? null : (
        <p className="problem">
          The machine would have done something else: {divergence.reason ?? 'no reason given'}
        </p>
      )}
      {held == null ? null : (
        <p className="notice">The run takes no events: {held.reason ?? 'no reason given'}</p>
      )}
    </>
  );
}
