import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { follow } from '../../client/queries.ts';
import { literal } from '../query/clauses.ts';
import { type HeldRows, holdRows } from './held-rows.ts';

export type WorkflowRow = ApiAnswer<'GET /v1/workflows'>['data'][number];

export const PAGE_SIZE = 100;
/** Rows that have left the answer are asked for by their ids, as many at a time as an address holds. */
const ASKED_BY_ID = 40;

interface WorkflowList {
  readonly rows: readonly WorkflowRow[] | undefined;
  readonly arrivals: number;
  /** Shows what has come. */
  readonly renew: () => void;
  readonly older: string | undefined;
  readonly error: Error | null;
  readonly retry: () => unknown;
}

export function rowKey({ workflow_id, run_id }: WorkflowRow): string {
  return `${workflow_id}\n${run_id}`;
}

/** A page of the list. Its rows change in place as the workflows do; new ones wait until they are asked for. */
export function useWorkflowList(query: string, page: string | undefined): WorkflowList {
  const [turn, setTurn] = useState(0);
  const asked = {
    limit: String(PAGE_SIZE),
    ...(query === '' ? {} : { query }),
    ...(page === undefined ? {} : { page }),
  };
  const { data, error, refetch, isPlaceholderData } = useQuery(follow('GET /v1/workflows', { query: asked }));
  const of = JSON.stringify([query, page ?? '', turn]);
  const [held, setHeld] = useState<HeldRows<WorkflowRow> & { readonly older: string | null }>();
  let shown = held;
  if (data !== undefined && !isPlaceholderData && (held?.of !== of || held.answer !== data.data)) {
    const older = held?.of === of ? held.older : data.next_page;
    shown = { ...holdRows(held, of, data.data, rowKey), older };
    setHeld(shown);
  }
  const left = leftRunning(shown?.rows ?? [], data?.data ?? []);
  const { data: changed } = useQuery({
    ...follow('GET /v1/workflows', {
      query: { limit: String(ASKED_BY_ID), query: `RunId IN (${left.map((id) => literal(id)).join(', ')})` },
    }),
    enabled: left.length > 0,
  });
  const changes = new Map(changed?.data.map((row) => [rowKey(row), row]));
  return {
    rows: shown?.rows.map((row) => (left.includes(row.run_id) ? (changes.get(rowKey(row)) ?? row) : row)),
    arrivals: page === undefined && shown?.of === of ? shown.arrivals : 0,
    renew: () => setTurn(turn + 1),
    older: shown?.older ?? undefined,
    error,
    retry: refetch,
  };
}

/** Runs that were going when they left the answer: they have ended since, or others have taken their place in it. */
function leftRunning(rows: readonly WorkflowRow[], answer: readonly WorkflowRow[]): readonly string[] {
  const answered = new Set(answer.map(rowKey));
  return rows
    .filter((row) => row.status === 'running' && !answered.has(rowKey(row)))
    .map(({ run_id }) => run_id)
    .slice(0, ASKED_BY_ID);
}
