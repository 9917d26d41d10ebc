import { ID } from './ebml.ts';

/** A frame of a WebM file, with its own time in it. */
export interface ReadFrame {
  readonly atMs: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
}

export interface ReadFilm {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly ReadFrame[];
}

/** Elements whose payload is read as if it stood by itself, because its size may not be known yet. */
const OPENED: ReadonlySet<number> = new Set([
  ID.segment,
  ID.info,
  ID.tracks,
  ID.trackEntry,
  ID.video,
  ID.cluster,
  ID.blockGroup,
]);

/**
 * The frames of a WebM file with one track of VP8, such as a screen recording's segment. One that still grows, or that a crash
 * has cut off, is read to its last whole frame.
 */
export function readWebm(bytes: Uint8Array): ReadFilm {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: ReadFrame[] = [];
  let [width, height, clusterAt, msPerTick] = [0, 0, 0, 1];
  for (let at = 0; at < view.length;) {
    const id = idAt(view, at);
    const size = id === undefined ? undefined : sizeAt(view, at + id.length);
    if (id === undefined || size === undefined) break;
    const from = at + id.length + size.length;
    if (OPENED.has(id.value)) {
      at = from;
      continue;
    }
    const end = from + size.value;
    if (end > view.length) break;
    const payload = view.subarray(from, end);
    switch (id.value) {
      case ID.timestampScale:
        msPerTick = numberIn(payload) / 1_000_000;
        break;
      case ID.pixelWidth:
        width = numberIn(payload);
        break;
      case ID.pixelHeight:
        height = numberIn(payload);
        break;
      case ID.timestamp:
        clusterAt = numberIn(payload);
        break;
      case ID.simpleBlock:
      case ID.block: {
        const data = payload.subarray(4);
        if (data.length > 0)
          frames.push({
            atMs: (clusterAt + payload.readInt16BE(1)) * msPerTick,
            // The first bit of a VP8 frame says that it is none of its own.
            isKey: ((data[0] ?? 1) & 1) === 0,
            data,
          });
        break;
      }
      default:
    }
    at = end;
  }
  return { width, height, frames };
}

interface Coded {
  readonly value: number;
  readonly length: number;
}

function idAt(view: Buffer, at: number): Coded | undefined {
  const length = Math.clz32(view[at] ?? 0) - 23;
  if (length > 4 || at + length > view.length) return undefined;
  return { value: view.readUIntBE(at, length), length };
}

/** A size; one that is not known (all ones) counts as the rest of the file. */
function sizeAt(view: Buffer, at: number): Coded | undefined {
  const first = view[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > view.length) return undefined;
  let value = first & (0xff >> length);
  let isKnown = value !== 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const byte = view[at + index] ?? 0;
    value = value * 256 + byte;
    isKnown ||= byte !== 0xff;
  }
  return { value: isKnown ? value : Infinity, length };
}

function numberIn(payload: Buffer): number {
  return payload.reduce((sum, byte) => sum * 256 + byte, 0);
}
