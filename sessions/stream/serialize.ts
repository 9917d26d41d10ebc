import type { TimeSlices } from './time-slices.ts';
import { eventJson, type JsonPart } from './event-json.ts';
import type { BlobLink } from './event-view.ts';
import type { BlobSource, LogEvent } from '../events/types.ts';

/** An event as it is sent. Neither it nor its parts ever change, so that readers can share them. */
export interface SerializedEvent {
  /** Its place in the event log; absent where it is not in the log. */
  readonly seq?: number;
  /** Absent where it is not in the event log, as a client cannot resume from it. */
  readonly id?: string;
  readonly type: string;
  readonly json: readonly JsonPart[];
  /** The `span.model_request_start` that this event ends. */
  readonly ends?: string;
  /** The span by which it came into the event log. */
  readonly trace?: string;
}

/** The approximate number of characters that one slice makes. */
const SLICE = 64 * 1024;

/** Serializes events in slices of time, however large they are. */
export async function serializeEvents(
  events: readonly LogEvent[],
  slices: TimeSlices,
  link?: BlobLink,
): Promise<readonly SerializedEvent[]> {
  const done: SerializedEvent[] = [];
  const parts = partsOf(events, done, link);
  const slice = (): boolean => {
    for (let made = 0; made < SLICE;) {
      const { value, done: isDone } = parts.next();
      if (isDone === true) return false;
      made += value;
    }
    return true;
  };
  while (await slices.run(slice)) {
    // The loop ends with the slice that makes the last part.
  }
  return done;
}

/** Adds each event to `done` once it is complete, and yields the length of each part. */
function* partsOf(
  events: readonly LogEvent[],
  done: SerializedEvent[],
  link?: BlobLink,
): Generator<number, void, undefined> {
  for (const event of events) {
    const json: JsonPart[] = [];
    for (const part of eventJson(event, link)) {
      addPart(json, part);
      yield typeof part === 'string' ? part.length : 0;
    }
    const { seq, id, type } = event;
    const { trace } = event.internal;
    const ends = type === 'span.model_request_end' ? { ends: event.body.model_request_start_id } : {};
    done.push({ seq, id, type, json, ...ends, ...(trace === undefined ? {} : { trace }) });
  }
}

/** Adds a part; short adjacent texts become one. */
function addPart(json: (string | BlobSource)[], part: JsonPart): void {
  const last = json.at(-1);
  if (typeof part === 'string' && typeof last === 'string' && last.length + part.length <= SLICE)
    json[json.length - 1] = last + part;
  else json.push(part);
}

/** The characters of an event's JSON, without the bytes of pictures. */
export function lengthOf({ json }: SerializedEvent): number {
  return json.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}
