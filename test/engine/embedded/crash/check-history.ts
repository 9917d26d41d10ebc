import type { HistoryEvent } from '../../../../engine/embedded/history/events.ts';
import { toNumber } from '../../../../engine/embedded/protocol/values.ts';

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

const kinds = new WeakMap<HistoryEvent, string>();

/** The kind of an event, such as `activityTaskCompleted`. */
export function kindOf(event: HistoryEvent): string {
  let kind = kinds.get(event);
  if (kind === undefined) {
    const field = Object.keys(event).find((key) => key.endsWith('EventAttributes'));
    kind = field?.replace('EventAttributes', '') ?? 'none';
    kinds.set(event, kind);
  }
  return kind;
}

export type Facts = Readonly<Record<string, unknown>>;

export function factsOf(event: HistoryEvent): Facts {
  return (event as unknown as Record<string, Facts>)[`${kindOf(event)}EventAttributes`] ?? {};
}

/** Which event says what may happen once: the kind, and the field that tells which one of that kind. */
const ONCE: Readonly<Record<string, readonly [what: string, field: string]>> = {
  activityTaskStarted: ['activity started', 'scheduledEventId'],
  activityTaskCompleted: ['activity over', 'scheduledEventId'],
  activityTaskFailed: ['activity over', 'scheduledEventId'],
  activityTaskTimedOut: ['activity over', 'scheduledEventId'],
  activityTaskCanceled: ['activity over', 'scheduledEventId'],
  timerFired: ['timer over', 'startedEventId'],
  timerCanceled: ['timer over', 'startedEventId'],
  childWorkflowExecutionStarted: ['child started', 'initiatedEventId'],
  startChildWorkflowExecutionFailed: ['child started', 'initiatedEventId'],
  childWorkflowExecutionCompleted: ['child over', 'initiatedEventId'],
  childWorkflowExecutionTerminated: ['child over', 'initiatedEventId'],
  externalWorkflowExecutionSignaled: ['signal delivered', 'initiatedEventId'],
  signalExternalWorkflowExecutionFailed: ['signal delivered', 'initiatedEventId'],
  workflowExecutionSignaled: ['signal', 'signalName'],
  workflowTaskCompleted: ['workflow task over', 'scheduledEventId'],
  workflowTaskTimedOut: ['workflow task over', 'scheduledEventId'],
};

const CLOSING = /^workflowExecution(Completed|Failed|TimedOut|Canceled|Terminated|ContinuedAsNew)$/;

/** Throws when a history has a gap, goes on after its end, or says of anything twice that it happened. */
export function checkHistory(name: string, events: readonly HistoryEvent[], isClosed: boolean): void {
  const seen = new Set<string>();
  for (const [index, event] of events.entries()) {
    const kind = kindOf(event);
    assert(toNumber(event.eventId) === index + 1, `${name}: event ${index + 1} is missing`);
    assert((index === 0) === (kind === 'workflowExecutionStarted'), `${name}: event ${index + 1} is ${kind}`);
    assert(!CLOSING.test(kind) || index === events.length - 1, `${name} goes on after its end`);
    const once = ONCE[kind];
    if (once === undefined) continue;
    const what = `${once[0]} ${String(factsOf(event)[once[1]])}`;
    assert(!seen.has(what), `${name}: "${what}" twice`);
    seen.add(what);
  }
  const last = events.at(-1);
  assert(
    last !== undefined && CLOSING.test(kindOf(last)) === isClosed,
    `${name}: its end and its state differ`,
  );
}
