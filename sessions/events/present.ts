import type { Blobs } from '../../store/index.ts';
import { base64Loader, replaceBlobs } from '../log/blob-sources.ts';
import type {
  Base64Source,
  BlobSource,
  EventBodies,
  EventType,
  LogEvent,
  SessionEvent,
  UrlSource,
} from './types.ts';

/** How a picture in the log becomes one that a client can read. */
export type SourceForm = (source: BlobSource) => Promise<Base64Source | UrlSource>;

/** The SDK's own form: the bytes in base64. */
export function inBase64(blobs: Blobs): SourceForm {
  return base64Loader(blobs);
}

/** A link in place of the bytes, for clients that show pictures, e.g. `(hash) => '/v1/blobs/' + hash`. */
export function asUrl(link: (sha256: string, mediaType: string) => string): SourceForm {
  return async ({ sha256, media_type }) => ({ type: 'url', url: link(sha256, media_type) });
}

/** What goes out, by type. The assignment in `present` lets the compiler hold it against the SDK's union. */
type Presented = {
  [T in EventType]: { readonly id: string; readonly type: T; readonly processed_at: string } & Mutable<
    EventBodies<SdkBase64>[T]
  >;
}[EventType];

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** The SDK tells a picture's base64 source from a document's by the media type alone. */
interface SdkBase64 {
  readonly type: 'base64';
  readonly media_type: never;
  readonly data: string;
}

/** An event of the log as clients read it. `processed_at` is the time at which it was recorded. */
export async function present(event: LogEvent, form: SourceForm): Promise<SessionEvent> {
  const { id, type, created_at: processed_at, body } = event;
  const content =
    'content' in body && body.content !== undefined
      ? { content: await replaceBlobs(body.content, form) }
      : {};
  const presented: SessionEvent = { id, type, processed_at, ...body, ...content } as Presented;
  return presented;
}
