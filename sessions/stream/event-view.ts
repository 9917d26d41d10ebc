import type { Blobs } from '@steadyhand/store';
import { base64Loader, replaceBlobs } from '../log/blob-sources.ts';
import type { EventBodies, EventType, LogEvent, SessionEvent } from '../events/types.ts';

/** Makes the URL of a picture, for clients that show pictures: e.g. `(hash) => '/v1/blobs/' + hash`. */
export type BlobLink = (sha256: string, mediaType: string) => string;

/** The views by type. The assignment in `viewEvent` makes the compiler compare them with the SDK's union. */
type EventView = {
  [T in EventType]: { readonly id: string; readonly type: T; readonly processed_at: string } & Mutable<
    EventBodies<SdkBase64>[T]
  >;
}[EventType];

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** The SDK distinguishes a picture's base64 source from a document's by the media type alone. */
interface SdkBase64 {
  readonly type: 'base64';
  readonly media_type: never;
  readonly data: string;
}

/**
 * An event of the event log as clients read it, but with blobs in place of the bytes of pictures. `processed_at` is the
 * time at which it was recorded.
 */
export function viewEvent({ id, type, created_at: processed_at, body }: LogEvent): SessionEvent {
  const event: SessionEvent = { id, type, processed_at, ...body } as EventView;
  return event;
}

/** An event of the event log as clients read it, with pictures in base64. */
export async function viewEventWithBytes(blobs: Blobs, event: LogEvent): Promise<SessionEvent> {
  const view = viewEvent(event);
  if (!('content' in view) || !Array.isArray(view.content)) return view;
  return { ...view, content: await replaceBlobs(view.content, base64Loader(blobs)) } as SessionEvent;
}
