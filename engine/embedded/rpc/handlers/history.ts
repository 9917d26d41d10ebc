import type { temporal } from '@temporalio/proto';
import { decodeHistoryToken, encodeHistoryToken } from '../../history/page-token.ts';
import type { HistoryEvent } from '../../history/events.ts';
import type { Kernel } from '../../kernel.ts';
import type { MutableState } from '../../mutable-state/mutable-state.ts';
import { HistoryEventFilterType } from '../../proto.ts';
import { toNumber } from '../../proto-values.ts';
import { findRun } from '../../workflow/find-run.ts';
import { promisedEvents } from '../../workflow-task/task-events.ts';
import { type Call, type Handlers, waitFor, waitMs } from '../call.ts';
import { invalidArgument } from '../errors.ts';

type Request = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryRequest;
type Response = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse;
type ReverseRequest = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryReverseRequest;

interface Position {
  readonly state: MutableState;
  readonly nextEventId: number;
  readonly endEventId: number | undefined;
  /** The caller has seen all that there was when it last asked. */
  readonly atEnd: boolean;
}

/** Reading histories, page by page, and waiting for their next or last event. */
export function historyHandlers(kernel: Kernel): Handlers {
  return {
    GetWorkflowExecutionHistory: async (request: Request, call: Call) => {
      const position = locate(kernel, request);
      const onlyClose =
        request.historyEventFilterType === HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
      if (request.waitNewEvent) await waitUntilReadable(kernel, call, position, onlyClose);
      return onlyClose ? closeEvent(kernel, request, position) : readPage(kernel, request, position);
    },
    GetWorkflowExecutionHistoryReverse: (request: ReverseRequest) => {
      const position = locate(kernel, request);
      const { state } = position;
      const from = request.nextPageToken?.length ? position.nextEventId : state.record.nextEventId - 1;
      const page = kernel.history.readReverse(state.key, from, pageSize(kernel, request));
      const next = page.nextEventId;
      return {
        history: { events: page.events },
        ...(next !== undefined && { nextPageToken: tokenFor(state, next, false) }),
      };
    },
  };
}

function locate(kernel: Kernel, request: Request | ReverseRequest): Position {
  const token = request.nextPageToken?.length ? decodeHistoryToken(request.nextPageToken) : undefined;
  const execution = {
    workflowId: request.execution?.workflowId ?? '',
    runId: request.execution?.runId ?? '',
  };
  if (token && execution.runId !== '' && execution.runId !== token.runId) {
    throw invalidArgument('Invalid NextPageToken.');
  }
  const state = findRun(kernel, request.namespace, token ? { ...execution, runId: token.runId } : execution);
  return {
    state,
    nextEventId: token?.nextEventId ?? 1,
    endEventId: token?.endEventId,
    atEnd: token?.wait ?? false,
  };
}

async function waitUntilReadable(
  kernel: Kernel,
  call: Call,
  position: Position,
  onlyClose: boolean,
): Promise<void> {
  const { ref } = position.state;
  const isReadable = (): boolean => {
    const state = kernel.runs.peek(ref);
    if (!state?.isRunning) return true;
    return !onlyClose && (!position.atEnd || state.record.nextEventId > position.nextEventId);
  };
  if (isReadable()) return;
  await waitFor<true>(call, waitMs(kernel, call, kernel.limits.historyWaitMs), (resolve) =>
    kernel.watch.subscribe(ref, () => {
      if (isReadable()) resolve(true);
    }),
  );
}

function closeEvent(kernel: Kernel, request: Request, position: Position): Response {
  const state = kernel.runs.peek(position.state.ref) ?? position.state;
  if (state.isRunning) {
    if (!request.waitNewEvent) return { history: { events: [] } };
    return { history: { events: [] }, nextPageToken: tokenFor(state, 1, true) };
  }
  return { history: { events: [kernel.history.event(state.key, state.record.nextEventId - 1)] } };
}

function readPage(kernel: Kernel, request: Request, position: Position): Response {
  const state = kernel.runs.peek(position.state.ref) ?? position.state;
  const { nextEventId, endEventId } = position;
  const last = endEventId ?? Infinity;
  const isThere = nextEventId < state.record.nextEventId;
  const page = isThere
    ? kernel.history.read(state.key, nextEventId, pageSize(kernel, request))
    : { events: [] as HistoryEvent[], nextEventId: undefined };
  const events = page.events.filter((event) => toNumber(event.eventId) <= last);
  if (page.nextEventId !== undefined && page.nextEventId <= last) {
    return { history: { events }, nextPageToken: tokenFor(state, page.nextEventId, false, endEventId) };
  }
  if (!request.waitNewEvent) {
    for (const event of promisedEvents(state.record.taskQueue, state.record.workflowTask)) {
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

function pageSize(kernel: Kernel, request: { maximumPageSize?: number | null }): number {
  const asked = request.maximumPageSize ?? 0;
  return asked > 0 ? Math.min(asked, 1000) : kernel.limits.historyPageEvents;
}
