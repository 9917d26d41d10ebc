import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingSegment } from '@steadyhand/contracts';

/** `<number>-<milliseconds since the epoch>.webm` */
const NAME = /^(\d{6,})-(\d+)\.webm$/;

/** The files of a recording, numbered in the order in which they were begun. */
export class Segments {
  readonly #folder: string;
  readonly #limitBytes: number;
  #active: string | null = null;

  constructor(folder: string, limitBytes: number) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
  }

  /** Returns the path of the next segment, which is the active one from now on. */
  begin(now: number): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const number = (this.list().at(-1)?.number ?? 0) + 1;
    this.#active = `${String(number).padStart(6, '0')}-${now}.webm`;
    return join(this.#folder, this.#active);
  }

  /** The active segment has ended. */
  end(): void {
    this.#active = null;
    this.trim();
  }

  /** All segments, oldest first. */
  list(): readonly (RecordingSegment & { readonly path: string })[] {
    return this.#names()
      .flatMap((name) => {
        const path = join(this.#folder, name);
        const size = statSync(path, { throwIfNoEntry: false })?.size;
        const [, number, started] = NAME.exec(name) ?? [];
        if (size === undefined || number === undefined) return [];
        return [
          {
            number: Number(number),
            started_at: new Date(Number(started)).toISOString(),
            size_bytes: size,
            active: name === this.#active,
            path,
          },
        ];
      })
      .sort((a, b) => a.number - b.number);
  }

  /** Deletes the oldest segments until all together are within the limit, and those to which ffmpeg wrote nothing. */
  trim(): void {
    const segments = this.list();
    let total = segments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    for (const { path, size_bytes, active } of segments) {
      if (active || (size_bytes > 0 && total <= this.#limitBytes)) continue;
      rmSync(path, { force: true });
      total -= size_bytes;
    }
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }
}
