import type { temporal } from '@temporalio/proto';
import { isTimeout } from '../wire/rpc-errors.ts';
import { type CallLimits, type TemporalCalls } from '../wire/service.ts';
import type { Run } from '../shapes/service.ts';
import type { WireEvent } from './event-json.ts';

/** Longer than servers hold a request that waits for news, which is 20 s. */
const LONG_POLL_MS = 25_000;

export interface ReadPage {
  readonly events: readonly WireEvent[];
  /** Empty at the end. */
  readonly token: Uint8Array;
}

export interface ReadRequest {
  readonly limit: number;
  readonly token?: Uint8Array | undefined;
  readonly wait?: boolean;
}

const FIRST = new Uint8Array();

const titleOf = ({ workflowId }: Run): string => `Workflow ${workflowId}`;

const executionOf = ({ workflowId, runId }: Run): temporal.api.common.v1.IWorkflowExecution => ({
  workflowId,
  runId,
});

/**
 * A page of a run's history, oldest first. With `wait`, a run that is open has always a token, and where there is nothing more,
 * the server is asked until there is or about 20 s have passed.
 */
export async function readPage(
  calls: TemporalCalls,
  run: Run,
  { limit, token, wait = false }: ReadRequest,
  limits: CallLimits = {},
): Promise<ReadPage> {
  const { namespace } = calls;
  const ask = (): Promise<temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse> =>
    calls.call(
      titleOf(run),
      (service) =>
        service.getWorkflowExecutionHistory({
          namespace,
          execution: executionOf(run),
          maximumPageSize: limit,
          nextPageToken: token ?? FIRST,
          waitNewEvent: wait,
        }),
      { ...(wait ? { deadlineMs: LONG_POLL_MS } : {}), ...limits },
    );
  try {
    const { history, nextPageToken } = await ask();
    return { events: history?.events ?? [], token: nextPageToken ?? FIRST };
  } catch (error) {
    // A server that holds the request for longer has no news.
    if (wait && token !== undefined && isTimeout((error as Error).cause)) return { events: [], token };
    throw error;
  }
}

/** The same, newest first. */
export async function readPageBackwards(
  calls: TemporalCalls,
  run: Run,
  { limit, token }: ReadRequest,
  limits: CallLimits = {},
): Promise<ReadPage> {
  const { namespace } = calls;
  const { history, nextPageToken } = await calls.call(
    titleOf(run),
    (service) =>
      service.getWorkflowExecutionHistoryReverse({
        namespace,
        execution: executionOf(run),
        maximumPageSize: limit,
        nextPageToken: token ?? FIRST,
      }),
    limits,
  );
  return { events: history?.events ?? [], token: nextPageToken ?? FIRST };
}

/** All events that a run has now, in pages. */
export async function* allPages(
  calls: TemporalCalls,
  run: Run,
  limits: CallLimits = {},
): AsyncGenerator<readonly WireEvent[], void, undefined> {
  let token: Uint8Array | undefined;
  do {
    const page = await readPage(calls, run, { limit: 1000, token }, limits);
    yield page.events;
    token = page.token;
  } while (token.length > 0);
}

export async function firstEvent(calls: TemporalCalls, run: Run): Promise<WireEvent | undefined> {
  const { events } = await readPage(calls, run, { limit: 1 });
  return events[0];
}

/** The last event of a run that has closed. */
export async function lastEvent(calls: TemporalCalls, run: Run): Promise<WireEvent | undefined> {
  const { namespace } = calls;
  const { history } = await calls.call(titleOf(run), (service) =>
    service.getWorkflowExecutionHistory({
      namespace,
      execution: executionOf(run),
      // HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT
      historyEventFilterType: 2,
      maximumPageSize: 1,
    }),
  );
  return history?.events?.at(-1);
}
