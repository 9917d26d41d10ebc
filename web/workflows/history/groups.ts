import { attributesOf, type HistoryEvent, textIn, timeOf, typeOf } from './history-event.ts';
import { kindOf, type GroupKind, labelOf } from './group-kinds.ts';

/** How what a group is about has ended, or that it has not. */
export type GroupState = 'open' | 'completed' | 'failed' | 'canceled' | 'timed out' | 'note';

/** Events of a history that belong together: an activity from its being scheduled to its end, a timer, a child. */
export interface EventGroup {
  /** The id of its first event. */
  readonly id: number;
  readonly kind: GroupKind;
  /** What it is by name, e.g. an activity's type. */
  readonly label: string;
  /** Which one of that name, e.g. an activity's id. */
  readonly detail: string | undefined;
  readonly events: readonly HistoryEvent[];
  readonly start: number;
  /** When work on it began, where it had to wait for a worker. */
  readonly taken: number | undefined;
  /** Undefined while it goes on; of what has no duration its one moment. */
  readonly end: number | undefined;
  readonly state: GroupState;
  readonly attempts: number;
}

type Open = { -readonly [K in keyof EventGroup]: EventGroup[K] } & { events: HistoryEvent[] };

const ENDINGS: readonly (readonly [ending: string, state: GroupState])[] = [
  ['COMPLETED', 'completed'],
  ['FIRED', 'completed'],
  ['FAILED', 'failed'],
  ['REJECTED', 'failed'],
  ['TIMED_OUT', 'timed out'],
  ['CANCELED', 'canceled'],
  ['TERMINATED', 'canceled'],
  ['EXTERNAL_WORKFLOW_EXECUTION_SIGNALED', 'completed'],
  ['EXTERNAL_WORKFLOW_EXECUTION_CANCEL_REQUESTED', 'completed'],
];

/** Has what belongs together as one, in the order of the first events. The history may begin anywhere. */
export const groupEvents = (events: readonly HistoryEvent[]): readonly EventGroup[] =>
  new Grouping().add(events);

/** The groups of a history that grows. A group that gets further events is another object then. */
export class Grouping {
  readonly #groups: Open[] = [];
  /** The place of each event's group. */
  readonly #placeOf = new Map<number, number>();

  /** Adds events that follow those before, and answers all groups. */
  add(events: readonly HistoryEvent[]): readonly EventGroup[] {
    for (const event of events) {
      const id = Number(event.eventId);
      const type = typeOf(event);
      const place = this.#placeOf.get(referenceOf(event, type) ?? -1) ?? this.#groups.length;
      const known = this.#groups[place];
      const group =
        known === undefined ? newGroup(event, id, type) : { ...known, events: [...known.events, event] };
      this.#groups[place] = group;
      this.#placeOf.set(id, place);
      follow(group, event, type);
    }
    return [...this.#groups];
  }
}

/** The earlier event that this one belongs to. */
function referenceOf(event: HistoryEvent, type: string): number | undefined {
  const attributes = attributesOf(event);
  const fields = type.startsWith('TIMER_')
    ? ['startedEventId']
    : ['scheduledEventId', 'initiatedEventId', 'acceptedEventId'];
  for (const field of fields) {
    const id = Number(attributes[field] ?? 0);
    if (id > 0) return id;
  }
  return undefined;
}

function newGroup(event: HistoryEvent, id: number, type: string): Open {
  const attributes = attributesOf(event);
  const kind = kindOf(type, attributes);
  return {
    id,
    kind,
    ...labelOf(kind, type, attributes),
    events: [event],
    start: timeOf(event),
    taken: undefined,
    end: undefined,
    state: 'note',
    attempts: 1,
  };
}

function follow(group: Open, event: HistoryEvent, type: string): void {
  const at = timeOf(event);
  const attempt = Number(attributesOf(event)['attempt'] ?? 0);
  if (attempt > group.attempts) group.attempts = attempt;
  // The run's own first and last events are moments; what it did in between has rows of its own.
  const ending = group.kind === 'run' ? undefined : ENDINGS.find(([word]) => type.endsWith(word));
  const runEnd =
    group.kind === 'run' ? ENDINGS.find(([word]) => type === `WORKFLOW_EXECUTION_${word}`) : undefined;
  if (ending !== undefined || runEnd !== undefined) {
    group.end = at;
    group.state = (ending ?? runEnd)?.[1] ?? 'note';
  } else if (OPENERS.test(type)) {
    group.state = 'open';
    group.end = undefined;
  } else if (type.endsWith('_STARTED') && group.state === 'open') {
    group.taken = at;
  } else if (group.events.length === 1) {
    group.end = at;
  }
}

const OPENERS =
  /^(?:ACTIVITY_TASK_SCHEDULED|WORKFLOW_TASK_SCHEDULED|TIMER_STARTED|NEXUS_OPERATION_SCHEDULED|WORKFLOW_EXECUTION_UPDATE_ACCEPTED|\w+_INITIATED)$/;

/** Where an open one of a run that has closed stands: nothing more will come of it. */
export function closeOpen(
  groups: readonly EventGroup[],
  closedAt: number | undefined,
): readonly EventGroup[] {
  if (closedAt === undefined) return groups;
  return groups.map((group) =>
    group.state === 'open'
      ? { ...group, state: 'canceled' as const, end: Math.max(closedAt, group.start) }
      : group,
  );
}

/** When the run closed, by its history. */
export function closedAt(events: readonly HistoryEvent[]): number | undefined {
  const last = events.at(-1);
  if (last === undefined) return undefined;
  const closing = /^WORKFLOW_EXECUTION_(?:COMPLETED|FAILED|CANCELED|TERMINATED|TIMED_OUT|CONTINUED_AS_NEW)$/;
  return closing.test(typeOf(last)) ? timeOf(last) : undefined;
}

/** The message of the failure that a group has ended with, or that its latest attempt had. */
export function failureIn(group: EventGroup): string | undefined {
  for (const event of group.events.toReversed()) {
    const attributes = attributesOf(event);
    const failure = (attributes['failure'] ?? attributes['lastFailure']) as Failed | null | undefined;
    if (failure != null) return innermost(failure);
    const reason = textIn(attributes, 'reason');
    if (reason !== undefined && group.kind === 'run') return reason;
  }
  return undefined;
}

interface Failed {
  readonly message?: string;
  readonly cause?: Failed | null;
}

/** An activity's failure says only that there was one; its cause says which. */
function innermost({ message, cause }: Failed): string {
  const inner = cause == null ? '' : innermost(cause);
  return inner === '' ? (message ?? '') : inner;
}
