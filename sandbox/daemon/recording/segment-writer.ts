import { setTimeout as pause } from 'node:timers/promises';
import type { Display } from '../../display/display.ts';
import type { Frame, ScreenFrames } from '../../display/screen-frames.ts';
import { errorText } from '../../error-fields.ts';
import type { DisplayState } from '../computer/display-holder.ts';
import { Encoder } from './encoder.ts';
import type { Segments } from './segments.ts';

/** Milliseconds between two frames. */
const FRAME_MS = 200;
/** How often the frame is repeated while nothing changes. */
const REPEAT_MS = 1_000;
const TRIM_MS = 10_000;
/** The pause after a failure. */
const RETRY_MS = 5_000;

/** The segment that is being written. */
interface OpenSegment {
  readonly encoder: Encoder;
  readonly width: number;
  readonly height: number;
  readonly began: number;
  written: number;
  trimmed: number;
}

/**
 * Writes a sandbox's screen into segments, one after another, from its construction until `end()`. The next frame is
 * taken when ffmpeg has read the last one, so a slow ffmpeg costs frames and never memory. Nothing is written without a
 * display, and a new display begins a new segment.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #ending = new AbortController();
  readonly #done: Promise<void>;
  #display: Display | null = null;
  #frames: ScreenFrames | null = null;
  #segment: OpenSegment | null = null;
  #frame: Frame | null = null;
  /** Why nothing is written; null when there is no error. */
  error: string | null = null;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  /** Resolves when the last segment is complete. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    while (!signal.aborted) {
      const next = performance.now() + FRAME_MS;
      // An X server or an ffmpeg that hangs must not keep the recording from ending.
      const wait = await Promise.race([this.#step(), over]);
      const rest = wait ?? Math.max(0, next - performance.now());
      await pause(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.#endSegment();
    this.#frames?.close();
  }

  /** Takes and writes one frame. Resolves with the time to wait for the next one when it is not the usual time. */
  async #step(): Promise<number | undefined> {
    try {
      const state = this.#options.display();
      const display = state !== null && 'display' in state ? state.display : null;
      if (display !== this.#display) {
        await this.#endSegment();
        this.#frames?.close();
        this.#frames = null;
        this.#display = display;
      }
      if (display === null) return undefined;
      this.#frames ??= await display.frames();
      this.#frame = await this.#frames.next();
      await this.#write(this.#frame);
      this.error = null;
      return undefined;
    } catch (error) {
      // The next step notices by itself that the X server went away.
      if (this.#ending.signal.aborted || this.#displayGone()) return undefined;
      this.error = errorText(error);
      this.#options.failed(this.error);
      await this.#endSegment();
      return RETRY_MS;
    }
  }

  #displayGone(): boolean {
    const state = this.#options.display();
    return state === null || !('display' in state) || state.display !== this.#display;
  }

  async #write({ width, height, rgb, changed }: Frame): Promise<void> {
    const now = performance.now();
    const { segments, segmentMs, ffmpeg } = this.#options;
    let segment = this.#segment;
    if (
      segment !== null &&
      (segment.width !== width || segment.height !== height || now - segment.began >= segmentMs)
    ) {
      await this.#endSegment();
      segment = null;
    }
    if (this.#ending.signal.aborted) return;
    if (segment === null) {
      const encoder = new Encoder({ ffmpeg, file: segments.begin(Date.now()), width, height });
      segment = { encoder, width, height, began: now, written: -Infinity, trimmed: now };
      this.#segment = segment;
    }
    if (!changed && now - segment.written < REPEAT_MS) return;
    segment.written = now;
    await segment.encoder.write(rgb);
    if (now - segment.trimmed < TRIM_MS) return;
    segment.trimmed = now;
    segments.trim();
  }

  /** Ends the segment; its last frame is repeated, so that it is shown up to now. */
  async #endSegment(): Promise<void> {
    const segment = this.#segment;
    if (segment === null) return;
    this.#segment = null;
    if (this.#frame?.width === segment.width && this.#frame.height === segment.height)
      segment.encoder.write(this.#frame.rgb).catch(() => undefined);
    await segment.encoder.close();
    this.#options.segments.end();
  }
}

interface SegmentWriterOptions {
  /** The last known state of the display; null while no computer runs. */
  readonly display: () => DisplayState | null;
  readonly segments: Segments;
  /** The path of ffmpeg. */
  readonly ffmpeg: string;
  /** The length of a segment. */
  readonly segmentMs: number;
  readonly failed: (reason: string) => void;
}
