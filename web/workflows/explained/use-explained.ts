import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask } from '../../client/api.ts';
import { followStream } from '../../client/event-stream.ts';
import { outdate } from '../../client/queries.ts';
import { type Explained, EXPLANATION, readExplained } from './read-explained.ts';

/** News come in bursts; each burst is asked after once. */
const BURST_MS = 250;

const OPEN: ReadonlySet<string> = new Set(['running', 'held']);

/**
 * The explanation of a run with all of its macrosteps, to which those are added that come. Whatever shows a run shares it.
 *
 * @param runId Undefined: the newest run.
 * @param newest The history's newest event, where the page follows the history anyway; otherwise it is followed here.
 */
export function useExplained(
  workflowId: string,
  runId: string | undefined,
  newest?: number,
): {
  readonly explained: Explained | undefined;
  readonly error: Error | null;
  readonly retry: () => unknown;
} {
  const client = useQueryClient();
  const queryKey = [EXPLANATION, { workflow_id: workflowId }, { run_id: runId ?? null }];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      readExplained(client.getQueryData<Explained>(queryKey), {
        workflowId,
        runId,
        signal,
        onPart: (part) => void client.setQueryData(queryKey, part),
      }),
    // Steps are never changed in place, and to compare thousands of them takes long.
    structuralSharing: false,
  });
  const isOpen = data !== undefined && (data.explanation === null || OPEN.has(data.explanation.status));
  const last = data?.explanation?.last_event_id ?? 0;
  useNews(workflowId, data?.run_id, isOpen && newest === undefined, last);
  const isBehind = newest !== undefined && data !== undefined && newest > last;
  useEffect(() => {
    if (!isBehind) return undefined;
    const waiting = setTimeout(() => void outdate(client, EXPLANATION), BURST_MS);
    return () => clearTimeout(waiting);
  }, [isBehind, newest, client]);
  return { explained: data, error, retry: refetch };
}

/** Has explanations asked for again when the run's history has grown. */
function useNews(workflowId: string, runId: string | undefined, isFollowed: boolean, last: number): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isFollowed || runId === undefined) return undefined;
    const gone = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const open = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      ask('GET /v1/workflows/{workflow_id}/history/stream', {
        params: { workflow_id: workflowId },
        query: { run_id: runId, after: String(last), payloads: 'decoded' },
        signal: gone.signal,
        headers,
      });
    const news = (): void => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void outdate(client, EXPLANATION);
      }, BURST_MS);
    };
    void followStream(open, { opened: () => undefined, event: news, lost: () => undefined }, gone.signal);
    return () => {
      gone.abort();
      clearTimeout(waiting);
    };
    // One stream serves for as long as the run is open; `last` is where it begins.
  }, [isFollowed, runId, workflowId]);
}
