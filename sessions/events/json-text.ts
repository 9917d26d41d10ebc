import type { Blobs } from '@steadyhand/store';
import { base64Pieces } from '../log/base64-pieces.ts';
import type { JsonPart } from './event-json.ts';

/** Characters that one piece holds at most, about. */
const PIECE = 64 * 1024;

/** The text of serialized events in pieces: their parts, with the bytes of pictures in the place of their blobs. */
export async function* jsonText(
  parts: readonly JsonPart[],
  blobs: Blobs,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else {
      yield text;
      text = '';
      yield* base64Pieces(blobs, part.sha256);
    }
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
