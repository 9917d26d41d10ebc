import { type JsonPart, jsonText, type SerializedEvent } from '@steadyhand/sessions';
import type { Blobs } from '@steadyhand/store';
import type { Piece } from './event-stream.ts';

type Page = { readonly events: readonly SerializedEvent[] };
type BlobPart = Exclude<JsonPart, string>;

/** Bytes that stand between two pictures are one piece up to about this size. */
const PIECE = 128 * 1024;

/** A page that many clients read is put into the stream's form once. */
const encoded = new WeakMap<Page, readonly (Buffer | BlobPart)[]>();

/** A page of events as server-sent events. The bytes of pictures come from the disk while they are sent. */
export async function* eventFrames(page: Page, blobs: Blobs): AsyncGenerator<Piece, void, undefined> {
  const parts = encoded.get(page) ?? encodedParts(page);
  encoded.set(page, parts);
  for (const part of parts) {
    if (Buffer.isBuffer(part)) yield part;
    else yield* jsonText([part], blobs);
  }
}

function encodedParts({ events }: Page): readonly (Buffer | BlobPart)[] {
  const parts: (Buffer | BlobPart)[] = [];
  let text = '';
  const close = (): void => {
    if (text !== '') parts.push(Buffer.from(text));
    text = '';
  };
  for (const { id, type, json } of events) {
    // JSON never contains a raw line break, so one data line holds it all.
    text += `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: `;
    for (const part of json) {
      if (typeof part === 'string') text += part;
      else {
        close();
        parts.push(part);
      }
      if (text.length >= PIECE) close();
    }
    text += '\n\n';
  }
  close();
  return parts;
}
