/** An event of a Temporal history, read from any of its forms. */
export interface HistoryEvent {
  readonly id: number;
  /** Such as `WorkflowExecutionStarted`. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly attributes: Fields;
}

/** A message of Temporal's API whose fields are read one by one. */
export type Fields = Readonly<Record<string, unknown>>;

/** A text is not a Temporal history. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/**
 * The events of a history: what `fetchHistory` answers, what the CLI or the UI has written (parsed), or the list alone.
 *
 * @throws HistoryError for anything else.
 */
export function eventsOf(history: unknown): readonly HistoryEvent[] {
  return rawEventsOf(history).map((event, index) => eventOf(event, index));
}

/** The same, in the form that they come in. */
export function rawEventsOf(history: unknown): readonly unknown[] {
  const events = listOf(history);
  if (events === undefined || events.length === 0)
    throw new HistoryError('history: expected an object with a list of events that is not empty');
  return events;
}

function listOf(history: unknown): readonly unknown[] | undefined {
  if (Array.isArray(history)) return history as readonly unknown[];
  if (!isFields(history)) return undefined;
  if (Array.isArray(history['events'])) return history['events'] as readonly unknown[];
  return 'history' in history ? listOf(history['history']) : undefined;
}

const SUFFIX = 'EventAttributes';

/** @throws HistoryError for what is no event of a history. */
export function eventOf(event: unknown, index: number): HistoryEvent {
  if (!isFields(event)) throw new HistoryError(`history.events[${index}]: expected an object`);
  const entry = Object.entries(event).find(
    ([key, value]) => key.endsWith(SUFFIX) && value !== null && value !== undefined,
  );
  if (entry === undefined) throw new HistoryError(`history.events[${index}]: expected attributes`);
  const [key, attributes] = entry;
  const name = key.slice(0, -SUFFIX.length);
  return {
    id: numberOf(event['eventId']),
    type: name.charAt(0).toUpperCase() + name.slice(1),
    at: timeOf(event['eventTime']),
    attributes: isFields(attributes) ? attributes : {},
  };
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that is a message; empty when it is absent. */
export function fieldsOf(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

/** A field that is a text; empty when it is absent. */
export function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}

/** A number, a text of digits, or a `Long`; 0 for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const number = value === null || value === undefined ? Number.NaN : Number(String(value as string));
  return Number.isFinite(number) ? number : 0;
}

/** A time as ISO text or as `{ seconds, nanos }`, in milliseconds since 1970. */
function timeOf(time: unknown): number {
  if (typeof time === 'string') return Date.parse(time);
  if (!isFields(time)) return 0;
  return numberOf(time['seconds']) * 1000 + Math.floor(numberOf(time['nanos']) / 1e6);
}
