import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type ApiAnswer, ask, call } from '../../client/api.ts';
import { followStream } from '../../client/event-stream.ts';
import { outdate, read } from '../../client/queries.ts';
import { activeStates } from '../chart/active-states.ts';
import { type Chart, chartOf } from '../chart/chart.ts';
import { type Step, stepsOf } from '../chart/step.ts';

type Explained = ApiAnswer<'GET /v1/workflows/{workflow_id}/explanation'>;

/** A run of a durable actor, as far as it is known now. */
export interface Run {
  readonly explained: Explained | undefined;
  readonly error: Error | null;
  readonly retry: () => unknown;
  /** Undefined where the machine is not known. */
  readonly chart: Chart | undefined;
  /** Of the machine; layouts are kept under it. */
  readonly hash: string;
  readonly steps: readonly Step[];
  /** What is active at the newest moment. */
  readonly activeNow: ReadonlySet<string>;
}

const ROUTE = 'GET /v1/workflows/{workflow_id}/explanation';
/** News come in bursts; each burst is asked after once. */
const BURST_MS = 250;

/** A run with all of its macrosteps, which are asked for again when its history has grown. */
export function useRun(workflowId: string, runId: string | undefined): Run {
  const client = useQueryClient();
  const params = { workflow_id: workflowId };
  const query = { limit: '1000', ...(runId === undefined ? {} : { run_id: runId }) };
  const { data, error, refetch } = useQuery({
    ...read(ROUTE, { params, query }),
    queryFn: ({ signal }) => allSteps(params, query, signal),
  });
  const isOpen = data !== undefined && (data.explanation === null || OPEN.has(data.explanation.status));
  const last = data?.explanation?.last_event_id ?? 0;
  const shownRun = data?.run_id;

  useEffect(() => {
    if (!isOpen || shownRun === undefined) return undefined;
    const gone = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const open = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      ask('GET /v1/workflows/{workflow_id}/history/stream', {
        params: { workflow_id: workflowId },
        query: { run_id: shownRun, after: String(last), payloads: 'decoded' },
        signal: gone.signal,
        headers,
      });
    const news = (): void => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void outdate(client, ROUTE);
      }, BURST_MS);
    };
    void followStream(open, { opened: () => undefined, event: news, lost: () => undefined }, gone.signal);
    return () => {
      gone.abort();
      clearTimeout(waiting);
    };
  }, [isOpen, shownRun, workflowId, last]);

  const definition = data?.definition ?? undefined;
  const hash = data?.machine?.hash ?? '';
  const chart = useMemo(
    () => (definition === undefined ? undefined : chartOf(definition)),
    [hash, definition === undefined],
  );
  const steps = useMemo(() => (data === undefined ? [] : stepsOf(data)), [data]);
  const value = steps.at(-1)?.snapshot.value ?? snapshotOf(data)?.value;
  const activeNow = useMemo(
    () => (chart === undefined ? new Set<string>() : activeStates(chart, value)),
    [chart, JSON.stringify(value)],
  );
  return { explained: data, error, retry: refetch, chart, hash, steps, activeNow };
}

const OPEN: ReadonlySet<string> = new Set(['running', 'held']);

/** What the query `snapshot` answers where this server does not know the machine. */
export const snapshotOf = (
  explained: Explained | undefined,
): { readonly value?: unknown; readonly context?: unknown } | undefined =>
  (explained?.queries?.snapshot ?? undefined) as { readonly value?: unknown } | undefined;

async function allSteps(
  params: { readonly workflow_id: string },
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Explained> {
  const first = await call(ROUTE, { params, query, signal });
  const steps = [...first.steps];
  for (let page = first.next_page; page !== null;) {
    const next: Explained = await call(ROUTE, { params, query: { ...query, page }, signal });
    steps.push(...next.steps);
    page = next.next_page;
  }
  return { ...first, steps, next_page: null };
}
