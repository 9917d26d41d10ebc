import { element, float, header, ID, text, uint } from './ebml.ts';

/** A compressed picture of a film. */
export interface FrameInfo {
  /** Milliseconds from the film's beginning. */
  readonly atMs: number;
  /** Bytes of its data. */
  readonly size: number;
  /** It needs no frame before it, so that a player can begin here. */
  readonly isKey: boolean;
}

export interface FilmInfo {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
}

/** A cluster's frames have times relative to it in 16 bits. */
const CLUSTER_MS = 5000;
const MOST_RELATIVE_MS = 30_000;
const TRACK = 1;
const KEY = 0x80;

/** Frames that are written together. Players look for places by clusters that begin with a key frame. */
interface Cluster {
  readonly atMs: number;
  readonly frames: readonly FrameInfo[];
  readonly payload: number;
}

/**
 * A WebM file of VP8 frames in pieces, with its duration and an index at its beginning, so that players know how long it is
 * and can seek before they have read it.
 * @param frames in order, the first of them a key frame
 * @param dataOf the data of a frame, by its place; asked for in order
 */
export async function* webm(
  film: FilmInfo,
  frames: readonly FrameInfo[],
  dataOf: (index: number) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const clusters = clustersOf(frames);
  const before = [infoOf(film), tracksOf(film)];
  const length = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0);
  // Numbers have a fixed length, so an index of zeros is as long as the real one.
  const first = length(before) + cuesOf(clusters, 0).length;
  const sizes = clusters.map(({ payload }) => header(ID.cluster, 0).length + payload);
  yield Buffer.concat([
    element(
      ID.ebml,
      uint(ID.ebmlVersion, 1),
      uint(ID.ebmlReadVersion, 1),
      uint(ID.ebmlMaxIdLength, 4),
      uint(ID.ebmlMaxSizeLength, 8),
      text(ID.docType, 'webm'),
      uint(ID.docTypeVersion, 4),
      uint(ID.docTypeReadVersion, 2),
    ),
    header(ID.segment, first + sizes.reduce((sum, size) => sum + size, 0)),
    ...before,
    cuesOf(clusters, first),
  ]);
  let index = 0;
  for (const { atMs, frames: held, payload } of clusters) {
    yield Buffer.concat([header(ID.cluster, payload), uint(ID.timestamp, atMs)]);
    for (const frame of held) {
      yield blockHeader(frame, atMs);
      yield await dataOf(index);
      index += 1;
    }
  }
}

function clustersOf(frames: readonly FrameInfo[]): readonly Cluster[] {
  const groups: FrameInfo[][] = [];
  for (const frame of frames) {
    const from = groups.at(-1)?.[0]?.atMs;
    const passed = from === undefined ? Infinity : frame.atMs - from;
    if ((frame.isKey && passed >= CLUSTER_MS) || passed >= MOST_RELATIVE_MS) groups.push([frame]);
    else groups.at(-1)?.push(frame);
  }
  return groups.map((held) => {
    const atMs = held[0]?.atMs ?? 0;
    const blocks = held.reduce((sum, frame) => sum + blockHeader(frame, atMs).length + frame.size, 0);
    return { atMs, frames: held, payload: uint(ID.timestamp, 0).length + blocks };
  });
}

function blockHeader({ atMs, size, isKey }: FrameInfo, clusterMs: number): Buffer {
  const fields = Buffer.alloc(4);
  fields.writeUInt8(0x80 | TRACK);
  fields.writeInt16BE(Math.round(atMs) - Math.round(clusterMs), 1);
  fields.writeUInt8(isKey ? KEY : 0, 3);
  return Buffer.concat([header(ID.simpleBlock, fields.length + size), fields]);
}

function infoOf({ durationMs }: FilmInfo): Buffer {
  return element(
    ID.info,
    uint(ID.timestampScale, 1_000_000),
    float(ID.duration, durationMs),
    text(ID.muxingApp, 'steadyhand'),
    text(ID.writingApp, 'steadyhand'),
  );
}

function tracksOf({ width, height }: FilmInfo): Buffer {
  return element(
    ID.tracks,
    element(
      ID.trackEntry,
      uint(ID.trackNumber, TRACK),
      uint(ID.trackUid, TRACK),
      uint(ID.trackType, 1),
      uint(ID.flagLacing, 0),
      text(ID.codecId, 'V_VP8'),
      element(ID.video, uint(ID.pixelWidth, width), uint(ID.pixelHeight, height)),
    ),
  );
}

/** The index: where, from the segment's payload on, the clusters are that a player can begin with. */
function cuesOf(clusters: readonly Cluster[], first: number): Buffer {
  const points: Buffer[] = [];
  let at = first;
  for (const { atMs, frames, payload } of clusters) {
    if (frames[0]?.isKey === true)
      points.push(
        element(
          ID.cuePoint,
          uint(ID.cueTime, atMs),
          element(ID.cueTrackPositions, uint(ID.cueTrack, TRACK), uint(ID.cueClusterPosition, at)),
        ),
      );
    at += header(ID.cluster, payload).length + payload;
  }
  return element(ID.cues, ...points);
}
