import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { findProgram } from '../../find-program.ts';

/** Timestamps per second in a video. Frames come less often, so that no two have the same timestamp. */
const TIME_MARKS = 10;
/** How long ffmpeg may take to finish a file. */
const CLOSE_MS = 5_000;

/**
 * An ffmpeg process that encodes frames into one WebM file (VP8). A frame has the time at which it came, so frames that
 * are left out do not shorten the video. What is written so far can be played at any moment, up to the last second or
 * two; when this process is killed, ffmpeg finishes the file by itself.
 */
export class Encoder {
  readonly #child: ChildProcessByStdio<Writable, null, Readable>;
  readonly #exited: Promise<void>;
  #said = '';

  constructor(options: {
    /** The path of ffmpeg. */
    readonly ffmpeg: string;
    readonly file: string;
    readonly width: number;
    readonly height: number;
  }) {
    const { ffmpeg, file, width, height } = options;
    const command = [ffmpeg, ...ffmpegArguments(file, `${width}x${height}`)];
    const nice = findProgram('nice');
    if (nice !== null) command.unshift(nice, '-n', '10');
    const [program = ffmpeg, ...args] = command;
    this.#child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString('utf8')).slice(-500);
    });
    // The callers of `write` get this error.
    this.#child.stdin.on('error', () => undefined);
    this.#exited = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', (error) => {
        this.#said = error.message;
        resolve();
      });
    });
  }

  /** Resolves when ffmpeg has read the frame, whose bytes may be changed from then on; rejects when ffmpeg ended. */
  async write(rgb: Uint8Array): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#child.stdin.write(rgb, (error) => (error == null ? resolve() : reject(error)));
      });
    } catch (error) {
      this.#child.kill('SIGKILL');
      await this.#exited;
      throw new Error(`ffmpeg has ended: ${this.#said.trim() || String(error)}`, { cause: error });
    }
  }

  /** Resolves when the file is complete and ffmpeg has ended. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_MS);
    await this.#exited;
    clearTimeout(killer);
  }
}

function ffmpegArguments(file: string, size: string): readonly string[] {
  return [
    ['-nostdin', '-hide_banner', '-loglevel', 'error'],
    ['-use_wallclock_as_timestamps', '1', '-probesize', '32', '-analyzeduration', '0'],
    ['-f', 'rawvideo', '-pixel_format', 'rgb24', '-video_size', size, '-framerate', String(TIME_MARKS)],
    ['-i', 'pipe:0', '-an'],
    ['-pix_fmt', 'yuv420p', '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-threads', '1'],
    ['-lag-in-frames', '0', '-auto-alt-ref', '0', '-g', '100', '-b:v', '500k'],
    // At most one second of video is only in ffmpeg's memory.
    ['-f', 'webm', '-cluster_time_limit', '1000', '-flush_packets', '1', '-y', `file:${file}`],
  ].flat();
}
