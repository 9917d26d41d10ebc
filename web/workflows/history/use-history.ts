import { useEffect, useState } from 'react';
import { ask } from '../../client/api.ts';
import { followStream } from '../../client/event-stream.ts';
import { messageOf, RequestFailedError } from '../../client/request.ts';
import type { HistoryEvent } from './history-event.ts';

interface History {
  readonly events: readonly HistoryEvent[];
  /** All that there was has been read. */
  readonly ended: boolean;
  /** The run that goes on in its place. */
  readonly nextRunId: string | undefined;
  readonly problem: string | undefined;
}

type Streamed =
  | (HistoryEvent & { readonly type?: undefined })
  | { readonly type: 'history_end'; readonly next_run_id: string | null };

/** Events that come quickly are shown together. The more there are, the longer drawing them takes. */
const pause = (count: number): number => (count < 5000 ? 60 : 400);

const EMPTY: History = { events: [], ended: false, nextRunId: undefined, problem: undefined };

/** The history of a run, and what is added to it as it happens. */
export function useHistory(workflowId: string, runId: string | undefined): History {
  const of = `${workflowId}\n${runId}`;
  const [held, setHeld] = useState({ of, history: EMPTY });
  useEffect(() => {
    if (runId === undefined) return undefined;
    const leaving = new AbortController();
    const events: HistoryEvent[] = [];
    let timer: number | undefined;
    let rest = EMPTY;
    const show = (): void => {
      timer = undefined;
      setHeld({ of, history: { ...rest, events: [...events] } });
    };
    const soon = (): void => void (timer ??= window.setTimeout(show, pause(events.length)));
    const open = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      ask('GET /v1/workflows/{workflow_id}/history/stream', {
        params: { workflow_id: workflowId },
        query: { run_id: runId, payloads: 'decoded' },
        signal: leaving.signal,
        headers,
      });
    const listener = {
      opened: () => void (rest = { ...rest, problem: undefined }),
      event: (event: Streamed) => {
        if (event.type === 'history_end') {
          rest = { ...rest, ended: true, nextRunId: event.next_run_id ?? undefined };
          leaving.abort();
        } else if (Number(event.eventId) > Number(events.at(-1)?.eventId ?? 0)) events.push(event);
        soon();
      },
      lost: (error: unknown) => {
        if (error instanceof RequestFailedError && error.status === 404) leaving.abort();
        rest = { ...rest, problem: messageOf(error) };
        if (error instanceof RequestFailedError) soon();
      },
    };
    void followStream<Streamed>(open, listener, leaving.signal);
    return () => {
      leaving.abort();
      window.clearTimeout(timer);
    };
  }, [of, workflowId, runId]);
  return held.of === of ? held.history : EMPTY;
}
