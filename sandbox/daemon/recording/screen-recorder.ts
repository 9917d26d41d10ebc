import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError, type ScreenRecording } from '@steadyhand/contracts';
import { findProgram } from '../../find-program.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { writeWholeSync } from '../../whole-file.ts';
import type { DisplayState } from '../computer/display-holder.ts';
import type { DaemonLog } from '../../daemon-log.ts';
import { Segments } from './segments.ts';
import { SegmentWriter } from './segment-writer.ts';

const LIMIT_BYTES = 1024 ** 3;
const SEGMENT_MS = 5 * 60_000;

/**
 * Records a sandbox's screen where the agent cannot reach it. Whether it records outlives this process: the next daemon goes
 * on in a segment of its own.
 */
export class ScreenRecorder {
  readonly #options: {
    readonly folder: string;
    readonly display: () => DisplayState | null;
    readonly log: DaemonLog;
  };
  readonly #segments: Segments;
  /** There while it is to record. */
  readonly #mark: string;
  #writer: SegmentWriter | null = null;
  /** Starts and stops, one after the other. */
  readonly #queue = new SerialQueue();
  #closed = false;

  constructor(options: {
    /** Of the recordings; made with the first one. */
    readonly folder: string;
    /** As far as it is known now; null while no computer runs. */
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

  /** Records from now on; does nothing where it does already. */
  start(): Promise<ScreenRecording> {
    return this.#change(() => {
      if (this.#closed) throw new SandboxError('unavailable', 'the sandbox is shutting down');
      if (this.#writer !== null) return;
      const ffmpeg = findProgram('ffmpeg');
      if (ffmpeg === null) throw new SandboxError('invalid_request', 'ffmpeg is not installed');
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
      writeWholeSync(this.#mark, '');
      this.#begin(ffmpeg);
    });
  }

  /** Resolves when the last segment is whole. */
  stop(): Promise<ScreenRecording> {
    return this.#change(async () => {
      rmSync(this.#mark, { force: true });
      await this.#end();
    });
  }

  /** Ends with the sandbox's daemon; the next one goes on. */
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

  /** Where a segment lies. */
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
