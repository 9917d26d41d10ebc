import type { temporal } from '@temporalio/proto';
import { decodeHistoryToken, encodeHistoryToken } from '../protocol/history-page-token.ts';
import type { HistoryEvent } from '../history/events.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { HistoryWatch } from '../history/history-watch.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { Limits } from '../primitives/limits.ts';
import { HistoryEventFilterType } from '../protocol/proto.ts';
import { toNumber } from '../protocol/values.ts';
import { type RunLookup, findRun, validExecution } from '../runs/find-run.ts';
import { unwrittenTaskEvents } from '../mutable-state/workflow-task-events.ts';
import { type Call, type WorkflowHandlers, waitFor, waitMs } from '../rpc/call.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';

type Request = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryRequest;
type Response = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse;
type ReverseRequest = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryReverseRequest;

/** What reading histories takes. */
interface HistoryServices extends RunLookup {
  readonly history: HistoryStore;
  readonly watch: HistoryWatch;
  readonly limits: Limits;
}

interface Position {
  readonly state: MutableState;
  readonly nextEventId: number;
  readonly endEventId: number | undefined;
  /** Whether the caller has seen all that there was when it last asked. */
  readonly atEnd: boolean;
}

/** The methods that read histories, page by page, and wait for their next or last event. */
export function historyHandlers(services: HistoryServices): WorkflowHandlers {
  return {
    GetWorkflowExecutionHistory: async (request, call) => {
      const position = locate(services, request);
      const onlyClose =
        request.historyEventFilterType === HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
      if (request.waitNewEvent) await waitUntilReadable(services, call, position, onlyClose);
      return onlyClose ? closeEvent(services, request, position) : readPage(services, request, position);
    },
    GetWorkflowExecutionHistoryReverse: (request) => {
      const position = locate(services, request);
      const { state } = position;
      const from = request.nextPageToken?.length ? position.nextEventId : state.record.nextEventId - 1;
      const page = services.history.readReverse(state.key, from, pageSize(services.limits, request));
      const next = page.nextEventId;
      return {
        history: { events: page.events },
        ...(next !== undefined && { nextPageToken: tokenFor(state, next, false) }),
      };
    },
  };
}

function locate(lookup: RunLookup, request: Request | ReverseRequest): Position {
  const token = request.nextPageToken?.length ? decodeHistoryToken(request.nextPageToken) : undefined;
  lookup.namespaces.get(request.namespace ?? '');
  const execution = validExecution(request.execution);
  if (token && execution.runId !== '' && execution.runId !== token.runId) {
    throw invalidArgument('Invalid NextPageToken.');
  }
  const state = findRun(lookup, request.namespace, token ? { ...execution, runId: token.runId } : execution);
  return {
    state,
    nextEventId: token?.nextEventId ?? 1,
    endEventId: token?.endEventId,
    atEnd: token?.wait ?? false,
  };
}

async function waitUntilReadable(
  { runs, watch, limits }: HistoryServices,
  call: Call,
  position: Position,
  onlyClose: boolean,
): Promise<void> {
  const { ref } = position.state;
  const isReadable = (): boolean => {
    const state = runs.peek(ref);
    if (!state?.isRunning) return true;
    return !onlyClose && (!position.atEnd || state.record.nextEventId > position.nextEventId);
  };
  if (isReadable()) return;
  await waitFor<true>(call, waitMs(limits, call, limits.historyWaitMs), (resolve) =>
    watch.subscribe(ref, () => {
      if (isReadable()) resolve(true);
    }),
  );
}

function closeEvent({ runs }: HistoryServices, request: Request, position: Position): Response {
  const state = runs.peek(position.state.ref) ?? position.state;
  // The server takes a paused run for a closed one here, and answers its last event; whoever waits for the end waits on.
  if (state.isRunning && (request.waitNewEvent || state.record.paused === undefined)) {
    if (!request.waitNewEvent) return { history: { events: [] } };
    return { history: { events: [] }, nextPageToken: tokenFor(state, 1, true) };
  }
  return { history: { events: [state.event(state.record.nextEventId - 1)] } };
}

function readPage(services: HistoryServices, request: Request, position: Position): Response {
  const state = services.runs.peek(position.state.ref) ?? position.state;
  const { nextEventId, endEventId } = position;
  const last = endEventId ?? Infinity;
  const isThere = nextEventId < state.record.nextEventId;
  const page = isThere
    ? state.readEvents(nextEventId, pageSize(services.limits, request))
    : { events: [] as HistoryEvent[], nextEventId: undefined };
  const events = page.events.filter((event) => toNumber(event.eventId) <= last);
  if (page.nextEventId !== undefined && page.nextEventId <= last) {
    return { history: { events }, nextPageToken: tokenFor(state, page.nextEventId, false, endEventId) };
  }
  if (!request.waitNewEvent) {
    for (const event of unwrittenTaskEvents(state.record.taskQueue, state.record.workflowTask)) {
      if (toNumber(event.eventId) <= last) events.push(event);
    }
    return { history: { events } };
  }
  if (!state.isRunning) return { history: { events } };
  return { history: { events }, nextPageToken: tokenFor(state, state.record.nextEventId, true) };
}

function tokenFor(state: MutableState, nextEventId: number, wait: boolean, endEventId?: number): Uint8Array {
  return encodeHistoryToken({
    runId: state.ref.runId,
    nextEventId,
    wait,
    ...(endEventId !== undefined && { endEventId }),
  });
}

function pageSize(limits: Limits, request: { maximumPageSize?: number | null }): number {
  const asked = request.maximumPageSize ?? 0;
  return asked > 0 ? Math.min(asked, 1000) : limits.historyPageEvents;
}
