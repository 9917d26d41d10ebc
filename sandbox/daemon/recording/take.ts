import { setTimeout as pause } from 'node:timers/promises';
import type { Display } from '../../display/display.ts';
import type { ScreenFrames, Frame } from '../../display/screen-frames.ts';
import { errorText } from '../../error-fields.ts';
import type { DisplayState } from '../display-holder.ts';
import { Encoder } from './encoder.ts';
import type { Segments } from './segments.ts';

/** Between two pictures, in milliseconds. */
const FRAME_MS = 200;
/** How often the picture is repeated while nothing changes. */
const REPEAT_MS = 1_000;
const TRIM_MS = 10_000;
/** After a failure. */
const RETRY_MS = 5_000;

/** What is being written. */
interface Reel {
  readonly encoder: Encoder;
  readonly width: number;
  readonly height: number;
  readonly began: number;
  written: number;
  trimmed: number;
}

/**
 * Films a sandbox's screen from its making until `end()`, one segment after the other. The next picture is taken when ffmpeg
 * has taken the last, so a slow ffmpeg costs pictures and never memory. Without a display nothing is written; with the next
 * display begins another segment.
 */
export class Take {
  readonly #options: TakeOptions;
  readonly #over = new AbortController();
  readonly #done: Promise<void>;
  #display: Display | null = null;
  #film: ScreenFrames | null = null;
  #reel: Reel | null = null;
  #frame: Frame | null = null;
  /** Why nothing is written; null where all is well. */
  error: string | null = null;

  constructor(options: TakeOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  /** Resolves when the last segment is whole. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    while (!signal.aborted) {
      const next = performance.now() + FRAME_MS;
      // Neither an X server nor an ffmpeg that has stopped keeps a recording from its end.
      const wait = await Promise.race([this.#step(), over]);
      const rest = wait ?? Math.max(0, next - performance.now());
      await pause(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.#cut();
    this.#film?.close();
  }

  /** One picture. Answers how long to wait for the next, where that is not the usual time. */
  async #step(): Promise<number | undefined> {
    try {
      const state = this.#options.display();
      const display = state !== null && 'display' in state ? state.display : null;
      if (display !== this.#display) {
        await this.#cut();
        this.#film?.close();
        this.#film = null;
        this.#display = display;
      }
      if (display === null) return undefined;
      this.#film ??= await display.frames();
      this.#frame = await this.#film.next();
      await this.#keep(this.#frame);
      this.error = null;
      return undefined;
    } catch (error) {
      // Of an X server that goes away the next step hears by itself.
      if (this.#over.signal.aborted || this.#displayGone()) return undefined;
      this.error = errorText(error);
      this.#options.failed(this.error);
      await this.#cut();
      return RETRY_MS;
    }
  }

  #displayGone(): boolean {
    const state = this.#options.display();
    return state === null || !('display' in state) || state.display !== this.#display;
  }

  async #keep({ width, height, rgb, changed }: Frame): Promise<void> {
    const now = performance.now();
    const { segments, segmentMs, ffmpeg } = this.#options;
    let reel = this.#reel;
    if (reel !== null && (reel.width !== width || reel.height !== height || now - reel.began >= segmentMs)) {
      await this.#cut();
      reel = null;
    }
    if (this.#over.signal.aborted) return;
    if (reel === null) {
      const encoder = new Encoder({ ffmpeg, file: segments.begin(Date.now()), width, height });
      reel = { encoder, width, height, began: now, written: -Infinity, trimmed: now };
      this.#reel = reel;
    }
    if (!changed && now - reel.written < REPEAT_MS) return;
    reel.written = now;
    await reel.encoder.write(rgb);
    if (now - reel.trimmed < TRIM_MS) return;
    reel.trimmed = now;
    segments.trim();
  }

  /** Ends the segment, its last picture shown up to now. */
  async #cut(): Promise<void> {
    const reel = this.#reel;
    if (reel === null) return;
    this.#reel = null;
    if (this.#frame?.width === reel.width && this.#frame.height === reel.height)
      reel.encoder.write(this.#frame.rgb).catch(() => undefined);
    await reel.encoder.close();
    this.#options.segments.end();
  }
}

export interface TakeOptions {
  /** The display as far as it is known now; null while no computer runs. */
  readonly display: () => DisplayState | null;
  readonly segments: Segments;
  /** Its path. */
  readonly ffmpeg: string;
  /** A segment's length. */
  readonly segmentMs: number;
  readonly failed: (reason: string) => void;
}
