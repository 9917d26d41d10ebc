/** An event of a history as Temporal's proto JSON has it. */
export interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
  readonly [field: string]: unknown;
}

export type Attributes = Readonly<Record<string, unknown>>;

const NOTHING: Attributes = {};

/** The fields that are of this type of event alone. */
export function attributesOf(event: HistoryEvent): Attributes {
  for (const name in event) {
    if (name.endsWith('EventAttributes')) return (event[name] ?? NOTHING) as Attributes;
  }
  return NOTHING;
}

/** `EVENT_TYPE_TIMER_STARTED`, or `TimerStarted` as older files have it, in one form: `TIMER_STARTED`. */
export function typeOf({ eventType }: HistoryEvent): string {
  if (eventType.startsWith('EVENT_TYPE_')) return eventType.slice('EVENT_TYPE_'.length);
  return eventType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

/** `TIMER_STARTED` as words: `Timer started`. */
export function typeName(type: string): string {
  const words = type.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function timeOf({ eventTime }: HistoryEvent): number {
  return Date.parse(eventTime);
}

/** The text in a field, or in its `name` where it is a type. */
export function textIn(attributes: Attributes, field: string): string | undefined {
  const held = attributes[field];
  if (typeof held === 'string') return held === '' ? undefined : held;
  const name = (held as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}
