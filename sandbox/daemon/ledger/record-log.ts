import { createHash } from 'node:crypto';
import { type Disk, type DiskFile, REAL_DISK, writeAll } from './disk.ts';

const FIRST_LINK = '0'.repeat(16);
const SCAN_BYTES = 1024 * 1024;

/** The position of a record in the file. */
export interface RecordPosition {
  readonly offset: number;
  readonly length: number;
  /** The digits of the record before it, from which its own are computed. */
  readonly after: string;
}

/** A record before the last one does not match its checksum: the file was damaged, not only cut short. */
export class RecordLogDamagedError extends Error {
  override readonly name = 'RecordLogDamagedError';
  readonly offset: number;
  constructor(path: string, offset: number) {
    super(`${path} is damaged at byte ${offset}`);
    this.offset = offset;
  }
}

/**
 * An append-only file of JSON records, one a line: 16 hex digits, a space, the JSON. The digits hash the JSON together
 * with the digits of the line before, so a changed, dropped or moved record is noticed. A last record that a crash cut
 * short is removed when the file is opened; one that could not be written whole (disk full) is removed at once.
 */
export class RecordLog {
  readonly #file: DiskFile;
  readonly #path: string;
  #size = 0;
  #link = FIRST_LINK;
  /** Set when a half-written record could not be removed, after which nothing may be appended. */
  #broken = false;

  /** Opens or creates the file and passes every record to `each`, in order. */
  static async open(
    path: string,
    each: (record: unknown, position: RecordPosition) => void,
    disk: Disk = REAL_DISK,
  ): Promise<RecordLog> {
    const file = await disk.open(path, 'a+');
    try {
      const log = new RecordLog(file, path);
      await log.#scan(path, each);
      return log;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private constructor(file: DiskFile, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** The size of the file in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Waits until all records are on the disk. */
  sync(): Promise<void> {
    return this.#file.datasync();
  }

  /**
   * Appends a record, and waits until it is on the disk unless `durable` is false. When it rejects nothing was written.
   */
  async append(record: unknown, durable = true): Promise<RecordPosition> {
    if (this.#broken) throw new Error('the ledger could not be repaired after a failed write');
    const json = JSON.stringify(record);
    const link = linkOf(this.#link, json);
    const line = Buffer.from(`${link} ${json}\n`, 'utf8');
    const offset = this.#size;
    try {
      await writeAll(this.#file, line);
      if (durable) await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(offset).catch(() => (this.#broken = true));
      // The truncation is synced too, so that a power cut does not bring the record back.
      await this.#file.datasync().catch(() => undefined);
      throw error;
    }
    const after = this.#link;
    this.#size += line.length;
    this.#link = link;
    return { offset, length: line.length, after };
  }

  /** Reads a record. Throws RecordLogDamagedError when it is not what was written there. */
  async read({ offset, length, after }: RecordPosition): Promise<unknown> {
    const line = Buffer.alloc(length);
    const { bytesRead } = await this.#file.read(line, 0, length, offset);
    const json = line.toString('utf8', FIRST_LINK.length + 1, length - 1);
    const link = line.toString('latin1', 0, FIRST_LINK.length);
    if (bytesRead !== length || link !== linkOf(after, json))
      throw new RecordLogDamagedError(this.#path, offset);
    return JSON.parse(json) as unknown;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #scan(path: string, each: (record: unknown, position: RecordPosition) => void): Promise<void> {
    const { size } = await this.#file.stat();
    let bad: number | null = null;
    for await (const { line, offset } of linesOf(this.#file, size)) {
      if (bad !== null) throw new RecordLogDamagedError(path, bad);
      const after = this.#link;
      const json = this.#check(line);
      if (json === null) {
        bad = offset;
        continue;
      }
      each(JSON.parse(json), { offset, length: line.length + 1, after });
      this.#size = offset + line.length + 1;
    }
    if (this.#size !== size) {
      await this.#file.truncate(this.#size);
      await this.#file.datasync();
    }
  }

  /** The record's JSON when its checksum is right, null otherwise; the chain then continues from this record. */
  #check(line: Buffer): string | null {
    const text = line.toString('utf8');
    const json = text.slice(FIRST_LINK.length + 1);
    const link = linkOf(this.#link, json);
    if (!text.startsWith(`${link} `)) return null;
    this.#link = link;
    return json;
  }
}

function linkOf(previous: string, json: string): string {
  return createHash('sha256').update(previous).update(json).digest('hex').slice(0, FIRST_LINK.length);
}

/** Yields whole lines without their newline. Bytes after the last newline are no line. */
async function* linesOf(file: DiskFile, size: number): AsyncGenerator<{ line: Buffer; offset: number }> {
  let rest = Buffer.alloc(0);
  let restOffset = 0;
  for (let position = 0; position < size;) {
    const chunk = Buffer.alloc(Math.min(SCAN_BYTES, size - position));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    let data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      yield { line: data.subarray(0, end), offset: restOffset };
      restOffset += end + 1;
      data = data.subarray(end + 1);
    }
    rest = data;
  }
}
