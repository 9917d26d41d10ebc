import type { temporal } from '@temporalio/proto';
import { EventType } from '../protocol/proto.ts';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

type AttributeField = Extract<keyof HistoryEvent, `${string}EventAttributes`>;

/** An event's attributes under their field name, e.g. `{ timerFiredEventAttributes: { timerId } }`. */
export type EventAttributes = { [K in AttributeField]?: HistoryEvent[K] };

/** Events that one transaction added, in order: the unit of storage and of pages of a history. */
export interface EventBatch {
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly events: readonly HistoryEvent[];
}

/** What an event may have beside its attributes. */
export type EventExtras = Pick<
  HistoryEvent,
  'userMetadata' | 'eventGroupMarkers' | 'links' | 'workerMayIgnore'
>;

const TYPE_BY_FIELD: ReadonlyMap<string, number> = new Map(
  Object.entries(EventType)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0)
    .map(([name, value]) => [fieldNameOf(name), value]),
);

/** Turns `EVENT_TYPE_TIMER_FIRED` into `timerFiredEventAttributes`. */
function fieldNameOf(eventTypeName: string): string {
  const words = eventTypeName
    .replace(/^EVENT_TYPE_/, '')
    .toLowerCase()
    .split('_');
  const camel = words.map((word, index) =>
    index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
  return `${camel.join('')}EventAttributes`;
}

/** Answers the attribute field that is set, and the event type that it belongs to. */
export function eventTypeOf(attributes: EventAttributes): { field: AttributeField; eventType: number } {
  const field = Object.keys(attributes)[0] as AttributeField | undefined;
  const eventType = field === undefined ? undefined : TYPE_BY_FIELD.get(field);
  if (field === undefined || eventType === undefined) throw new Error(`unknown event attributes ${field}`);
  return { field, eventType };
}

/** The results of activities, which refer to a started event that may itself still be buffered. */
export const STARTED_REFERENCE = {
  [EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED]: 'activityTaskCompletedEventAttributes',
  [EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED]: 'activityTaskFailedEventAttributes',
  [EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT]: 'activityTaskTimedOutEventAttributes',
  [EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED]: 'activityTaskCanceledEventAttributes',
} as const satisfies Record<number, AttributeField>;

/** The results of children, which refer to the child's started event in the same way. */
export const CHILD_STARTED_REFERENCE = {
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED]: 'childWorkflowExecutionCompletedEventAttributes',
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_FAILED]: 'childWorkflowExecutionFailedEventAttributes',
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_CANCELED]: 'childWorkflowExecutionCanceledEventAttributes',
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TIMED_OUT]: 'childWorkflowExecutionTimedOutEventAttributes',
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TERMINATED]:
    'childWorkflowExecutionTerminatedEventAttributes',
} as const satisfies Record<number, AttributeField>;
