import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pictureFrame } from './picture-frame.ts';
import { readWebm } from './webm-reader.ts';
import { type FrameInfo, webm } from './webm-writer.ts';

/** A screenshot of a film. */
export interface FilmPicture {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** PNG, JPEG, WebP or GIF. */
  readonly read: () => Promise<Uint8Array>;
}

/** A segment of a screen recording, as WebM. */
export interface FilmSegment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly read: () => Promise<Uint8Array>;
}

interface FilmFrame {
  readonly at: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface FilmOptions {
  /** A longer time without a new picture is shortened to this, in ms; by default nothing is. */
  readonly longestPauseMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A finished film. It lies in a temporary file until it is closed. */
export interface Film {
  readonly durationMs: number;
  readonly body: () => AsyncIterable<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** How long the last picture is shown. */
const LAST_MS = 2000;

/** A film of screenshots, each shown until the next one; undefined where there are none. */
export function filmOfPictures(
  pictures: readonly FilmPicture[],
  options: FilmOptions = {},
): Promise<Film | undefined> {
  return made(framesOfPictures(pictures), options);
}

/** The segments of a screen recording as one film; undefined where nothing can be played of them. */
export function filmOfSegments(
  segments: readonly FilmSegment[],
  options: FilmOptions = {},
): Promise<Film | undefined> {
  return made(framesOfSegments(segments), options);
}

async function* framesOfPictures(pictures: readonly FilmPicture[]): AsyncGenerator<FilmFrame, void, void> {
  let size: { readonly width: number; readonly height: number } | undefined;
  for (const { at, read } of pictures) {
    const frame = await pictureFrame(await read(), size);
    size ??= { width: frame.width, height: frame.height };
    yield { ...frame, at, isKey: true };
  }
}

async function* framesOfSegments(segments: readonly FilmSegment[]): AsyncGenerator<FilmFrame, void, void> {
  for (const { at, read } of segments) {
    const { width, height, frames } = readWebm(await read());
    const playable = frames.slice(frames.findIndex(({ isKey }) => isKey));
    for (const { atMs, ...frame } of playable) yield { ...frame, at: at + atMs, width, height };
  }
}

async function made(frames: AsyncIterable<FilmFrame>, options: FilmOptions): Promise<Film | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steadyhand-film-'));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const file = await open(path.join(folder, 'frames'), 'wx+', 0o600);
    const spooled = await spool(file, frames, options).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    const [first] = spooled.frames;
    if (first === undefined) {
      await file.close();
      await close();
      return undefined;
    }
    const { width, height } = spooled;
    const durationMs = (spooled.frames.at(-1)?.atMs ?? 0) + LAST_MS;
    return {
      durationMs,
      body: () =>
        webm({ width, height, durationMs }, spooled.frames, (index) => dataAt(file, spooled.frames, index)),
      close: async () => {
        await file.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface SpooledFrame extends FrameInfo {
  readonly place: number;
}

/** Writes the frames down one after the other: sizes have to be known before the first byte of the film is sent. */
async function spool(
  file: FileHandle,
  frames: AsyncIterable<FilmFrame>,
  { longestPauseMs = Infinity, signal }: FilmOptions,
): Promise<{ readonly width: number; readonly height: number; readonly frames: readonly SpooledFrame[] }> {
  const spooled: SpooledFrame[] = [];
  let [width, height, place, before, atMs] = [0, 0, 0, 0, 0];
  for await (const frame of frames) {
    signal?.throwIfAborted();
    if (spooled.length === 0) ({ width, height, at: before } = frame);
    atMs += Math.min(Math.max(0, frame.at - before), longestPauseMs);
    before = Math.max(before, frame.at);
    await file.write(frame.data, 0, frame.data.length, place);
    spooled.push({ atMs: Math.round(atMs), size: frame.data.length, isKey: frame.isKey, place });
    place += frame.data.length;
  }
  return { width, height, frames: spooled };
}

async function dataAt(file: FileHandle, frames: readonly SpooledFrame[], index: number): Promise<Uint8Array> {
  const { place = 0, size = 0 } = frames[index] ?? {};
  const data = Buffer.alloc(size);
  await file.read(data, 0, size, place);
  return data;
}
