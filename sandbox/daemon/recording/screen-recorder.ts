import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError, type ScreenRecording } from '@steadyhand/contracts';
import { invalidRequest } from '../../invalid-request.ts';
import { findProgram } from '../../find-program.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { writeWholeSync } from '../../whole-file.ts';
import type { DisplayState } from '../computer/display-holder.ts';
import type { DaemonLog } from '../../daemon-log.ts';
import { Segments } from './segments.ts';
import { SegmentWriter } from './segment-writer.ts';

const LIMIT_BYTES = 1024 ** 3;
const SEGMENT_MS = 5 * 60_000;

/** Records the screen where the agent cannot reach the files. The next daemon continues in a new segment. */
export class ScreenRecorder {
  readonly #options: {
    readonly folder: string;
    readonly display: () => DisplayState | null;
    readonly log: DaemonLog;
  };
  readonly #segments: Segments;
  /** This file exists while the recording is on. */
  readonly #mark: string;
  #writer: SegmentWriter | null = null;
  /** Starts and stops run one after another. */
  readonly #queue = new SerialQueue();
  #closed = false;

  constructor(options: {
    /** The folder of the recordings, which is made with the first one. */
    readonly folder: string;
    /** The last known state of the display; null while no computer runs. */
    readonly display: () => DisplayState | null;
    readonly log: DaemonLog;
  }) {
    this.#options = options;
    this.#segments = new Segments(options.folder, LIMIT_BYTES);
    this.#mark = join(options.folder, 'on');
    if (!existsSync(this.#mark)) return;
    const ffmpeg = findProgram('ffmpeg');
    if (ffmpeg === null) options.log.error('recording', { error: 'ffmpeg is not installed' });
    else this.#begin(ffmpeg);
  }

  /** Starts recording; does nothing while it records already. */
  start(): Promise<ScreenRecording> {
    return this.#change(() => {
      if (this.#closed) throw new SandboxError('unavailable', 'the sandbox is shutting down');
      if (this.#writer !== null) return;
      const ffmpeg = findProgram('ffmpeg');
      if (ffmpeg === null) throw invalidRequest('ffmpeg is not installed');
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
      writeWholeSync(this.#mark, '');
      this.#begin(ffmpeg);
    });
  }

  /** Stops recording and resolves when the last segment is complete. */
  stop(): Promise<ScreenRecording> {
    return this.#change(async () => {
      rmSync(this.#mark, { force: true });
      await this.#end();
    });
  }

  /** Stops with the sandbox's daemon; the next daemon goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#change(() => this.#end());
  }

  state(): ScreenRecording {
    const on = existsSync(this.#mark);
    const error = this.#writer === null ? 'ffmpeg is not installed' : this.#writer.error;
    return {
      status: on ? 'recording' : 'stopped',
      error: on ? error : null,
      limit_bytes: LIMIT_BYTES,
      segments: this.#segments.list().map(({ path: _path, ...segment }) => segment),
    };
  }

  /** The path of a segment. Throws SandboxError `not_found`. */
  pathOf(number: number): string {
    const found = this.#segments.list().find((segment) => segment.number === number);
    if (found === undefined) throw new SandboxError('not_found', `there is no segment ${number}`);
    return found.path;
  }

  #begin(ffmpeg: string): void {
    const { display, log } = this.#options;
    this.#writer = new SegmentWriter({
      display,
      segments: this.#segments,
      ffmpeg,
      segmentMs: SEGMENT_MS,
      failed: (error) => log.error('recording', { error }),
    });
  }

  async #end(): Promise<void> {
    await this.#writer?.end();
    this.#writer = null;
  }

  async #change(work: () => Promise<void> | void): Promise<ScreenRecording> {
    await this.#queue.run(work);
    return this.state();
  }
}
