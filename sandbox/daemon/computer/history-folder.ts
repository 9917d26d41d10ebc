import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditHistory, MAX_HISTORY_BYTES } from '../../tools/editor/history.ts';
import { writeWhole } from '../../whole-file.ts';

/** `0000000042-<first 32 hex digits of the path's SHA-256>`, so that names sort by age. */
const NAME = /^(\d{10,})-([0-9a-f]{32})$/;

interface Kept {
  readonly number: number;
  readonly path: string;
  readonly bytes: number;
}

/**
 * An edit history that outlives its daemon: a file for each former content, in a folder that the agent does not see.
 * When all files together exceed `maxBytes` the oldest are removed. A content that cannot be written is kept in memory,
 * so that `undo_edit` works on a full disk until the daemon ends.
 */
export class HistoryFolder implements EditHistory {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #kept: Kept[];
  readonly #unwritten = new Map<number, Uint8Array>();
  #bytes: number;
  #last: number;

  static async open(folder: string, maxBytes = MAX_HISTORY_BYTES): Promise<HistoryFolder> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept: Kept[] = [];
    for (const name of (await readdir(folder)).toSorted()) {
      const [, number, path] = NAME.exec(name) ?? [];
      // Any other name is a content that was being written when its daemon ended.
      if (number === undefined || path === undefined) await rm(join(folder, name), { force: true });
      else kept.push({ number: Number(number), path, bytes: (await stat(join(folder, name))).size });
    }
    return new HistoryFolder(folder, maxBytes, kept);
  }

  private constructor(folder: string, maxBytes: number, kept: Kept[]) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#kept = kept.sort((a, b) => a.number - b.number);
    this.#bytes = kept.reduce((total, { bytes }) => total + bytes, 0);
    this.#last = kept.at(-1)?.number ?? 0;
  }

  async push(path: string, content: Uint8Array): Promise<void> {
    this.#last += 1;
    const kept: Kept = { number: this.#last, path: digestOf(path), bytes: content.length };
    this.#kept.push(kept);
    this.#bytes += content.length;
    await writeWhole(this.#fileOf(kept), content).catch(() => this.#unwritten.set(kept.number, content));
    while (this.#bytes > this.#maxBytes && this.#kept.length > 1) {
      const [oldest] = this.#kept;
      if (oldest !== undefined) await this.#forget(oldest);
    }
  }

  async pop(path: string): Promise<Uint8Array | null> {
    const digest = digestOf(path);
    const newest = this.#kept.findLast((kept) => kept.path === digest);
    if (newest === undefined) return null;
    const content =
      this.#unwritten.get(newest.number) ?? (await readFile(this.#fileOf(newest)).catch(() => null));
    await this.#forget(newest);
    return content;
  }

  async #forget(kept: Kept): Promise<void> {
    this.#kept.splice(this.#kept.indexOf(kept), 1);
    this.#bytes -= kept.bytes;
    this.#unwritten.delete(kept.number);
    await rm(this.#fileOf(kept), { force: true }).catch(() => undefined);
  }

  #fileOf({ number, path }: Kept): string {
    return join(this.#folder, `${String(number).padStart(10, '0')}-${path}`);
  }
}

function digestOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}
