import type { EventAttributes, HistoryEvent } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { ResetReapplyExcludeType, ResetReapplyType, UpdateAdmittedEventOrigin } from '../protocol/proto.ts';
import { recordSignal } from '../runs/signal.ts';
import { toNumber } from '../protocol/values.ts';
import { endOfChild, replayChild } from './replay-event.ts';

/** Which of the messages that came after the reset point the new run gets too. */
export interface Reapplied {
  readonly signals: boolean;
  readonly updates: boolean;
}

/** Reads the two fields of a reset request that choose. All are reapplied unless it says otherwise. */
export function reappliedOf(
  type: number | null | undefined,
  excluded: readonly number[] | null | undefined,
): Reapplied {
  const { RESET_REAPPLY_TYPE_NONE: none, RESET_REAPPLY_TYPE_SIGNAL: signalOnly } = ResetReapplyType;
  const { RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL: signal, RESET_REAPPLY_EXCLUDE_TYPE_UPDATE: update } =
    ResetReapplyExcludeType;
  return {
    signals: type !== none && !excluded?.includes(signal),
    updates: type !== none && type !== signalOnly && !excluded?.includes(update),
  };
}

/**
 * Gives a new run the messages that the run it was made of got after the reset point, and so did the runs that this one
 * continued as. What became of children that the new run has is told in any case; a requested cancellation is not.
 */
export function reapplyEvents(
  runs: RunRegistry,
  state: MutableState,
  base: MutableState,
  firstEventId: number,
  reapplied: Reapplied,
): void {
  let from = firstEventId;
  for (let source: MutableState | undefined = base; source;) {
    let continuedBy: string | undefined;
    for (const event of eventsFrom(source, from)) {
      if (source === base) reapplyChild(state, event);
      reapply(state, event, reapplied);
      continuedBy = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? continuedBy;
    }
    source = continuedBy ? runs.peek({ ...state.ref, runId: continuedBy }) : undefined;
    from = 1;
  }
}

const PAGE_EVENTS = 1000;

function* eventsFrom(source: MutableState, firstEventId: number): Generator<HistoryEvent> {
  for (let next: number | undefined = firstEventId; next !== undefined;) {
    const page = source.readEvents(next, PAGE_EVENTS);
    yield* page.events;
    next = page.nextEventId;
  }
  yield* source.unsavedEvents;
}

function reapply(state: MutableState, event: HistoryEvent, { signals, updates }: Reapplied): void {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal && signals) {
    recordSignal(state, {
      name: signal.signalName ?? '',
      input: signal.input ?? null,
      header: signal.header ?? null,
      identity: signal.identity ?? '',
      requestId: signal.requestId ?? '',
      links: event.links ?? [],
      ...(signal.externalWorkflowExecution && {
        sender: {
          workflowId: signal.externalWorkflowExecution.workflowId ?? '',
          runId: signal.externalWorkflowExecution.runId ?? '',
        },
      }),
    });
  }
  const request =
    event.workflowExecutionUpdateAdmittedEventAttributes?.request ??
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
  const updateId = request?.meta?.updateId;
  if (!updates || !updateId || state.record.updates[updateId]) return;
  const admitted = state.append({
    workflowExecutionUpdateAdmittedEventAttributes: {
      request,
      origin: UpdateAdmittedEventOrigin.UPDATE_ADMITTED_EVENT_ORIGIN_REAPPLY,
    },
  });
  state.record.updates[updateId] = { admittedEventId: toNumber(admitted.eventId) };
}

function reapplyChild(state: MutableState, event: HistoryEvent): void {
  const started = event.childWorkflowExecutionStartedEventAttributes;
  const initiatedEventId = started ? toNumber(started.initiatedEventId) : endOfChild(event)?.initiatedEventId;
  const child = initiatedEventId === undefined ? undefined : state.pending.children.get(initiatedEventId);
  if (!child) return;
  const field = Object.keys(event).find((key) => key.endsWith('EventAttributes')) as keyof EventAttributes;
  const attributes = event[field] as { startedEventId?: HistoryEvent['eventId'] };
  const copy = state.append({ [field]: { ...attributes } } as EventAttributes, { links: event.links ?? [] });
  replayChild(state, copy);
}
