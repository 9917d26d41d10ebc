import type { JsonObject, NewStoredEvent, StoredEvent } from '@steadyhand/store';
import type { BlobSource, EventBodies, EventType, Internal, LogEvent } from './types.ts';

/** An event to append, with its bytes in the blob store. */
interface EventWithBlobs {
  readonly type: EventType;
  readonly body: EventBodies<BlobSource>[EventType];
  readonly internal?: Internal;
}

/** The stored form of an event. */
export function toStored(event: EventWithBlobs): NewStoredEvent {
  return {
    type: event.type,
    payload: event.body as unknown as JsonObject,
    internal: event.internal === undefined ? null : (event.internal as JsonObject),
    ref: answeredToolUse(event.body),
  };
}

/** The stored form of a client's event, which is delivered to the session's workflow. */
export function storedForDelivery(event: EventWithBlobs): NewStoredEvent {
  return { ...toStored(event), deliver: true };
}

/** The typed form of a stored event. It is not checked: only this package writes events. */
export function fromStored(event: StoredEvent): LogEvent {
  return {
    session: event.session,
    seq: event.seq,
    id: event.id,
    type: event.type,
    body: event.payload,
    internal: event.internal ?? {},
    created_at: event.created_at,
  } as unknown as LogEvent;
}

/** The tool use that a result or a confirmation answers. */
function answeredToolUse(body: object): string | null {
  if ('tool_use_id' in body) return String(body.tool_use_id);
  if ('custom_tool_use_id' in body) return String(body.custom_tool_use_id);
  return null;
}
