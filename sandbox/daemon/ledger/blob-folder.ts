import { createHash, randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { errorCode } from '../../error-fields.ts';
import { type Disk, REAL_DISK, writeAll } from './disk.ts';

/** A folder of byte strings, each a file named by its SHA-256 that is written once and whole. */
export class BlobFolder {
  readonly #folder: string;
  readonly #disk: Disk;
  /** The size of each known blob. */
  readonly #sizes = new Map<string, number>();
  /** Names that are durable. */
  readonly #durable = new Set<string>();
  #made = false;

  constructor(folder: string, disk: Disk = REAL_DISK) {
    this.#folder = folder;
    this.#disk = disk;
  }

  /** The size of all blobs, which `count` and `put` keep up to date. */
  get bytes(): number {
    let total = 0;
    for (const size of this.#sizes.values()) total += size;
    return total;
  }

  sizeOf(name: string): number {
    return this.#sizes.get(name) ?? 0;
  }

  async count(): Promise<void> {
    const names = await this.#disk.list(this.#folder);
    // An earlier daemon may have ended after it had renamed a blob and before it had synced the folder.
    if (names.length > 0) await this.#disk.syncFolder(this.#folder);
    for (const name of names) {
      this.#durable.add(name);
      this.#sizes.set(name, (await this.#disk.sizeOf(join(this.#folder, name))) ?? 0);
    }
  }

  /** Writes the bytes durably and returns their name. */
  async put(bytes: Uint8Array): Promise<string> {
    const name = createHash('sha256').update(bytes).digest('hex');
    const path = join(this.#folder, name);
    const found = (await this.#disk.sizeOf(path)) === bytes.length;
    if (!found) await this.#write(path, bytes);
    this.#sizes.set(name, bytes.length);
    if (!found || !this.#durable.has(name)) await this.#disk.syncFolder(this.#folder);
    this.#durable.add(name);
    return name;
  }

  /** The bytes under a name; null when they are missing or damaged. */
  async get(name: string): Promise<Buffer | null> {
    const bytes = await this.#disk.readFile(join(this.#folder, name)).catch((error: unknown) => {
      if (['ENOENT', 'EIO'].includes(errorCode(error) ?? '')) return null;
      throw error;
    });
    return bytes !== null && createHash('sha256').update(bytes).digest('hex') === name ? bytes : null;
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    if (!this.#made) {
      await this.#disk.makeFolder(this.#folder);
      await this.#disk.syncFolder(dirname(this.#folder));
      this.#made = true;
    }
    const draft = join(this.#folder, `.${randomBytes(8).toString('hex')}`);
    try {
      const file = await this.#disk.open(draft, 'wx');
      try {
        await writeAll(file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        await file.datasync();
      } finally {
        await file.close();
      }
      await this.#disk.rename(draft, path);
    } catch (error) {
      await this.#disk.remove(draft).catch(() => undefined);
      throw error;
    }
  }

  /** Removes all blobs but these, also what an interrupted `put` has left. */
  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    for (const name of await this.#disk.list(this.#folder)) {
      if (names.has(name)) continue;
      await this.#disk.remove(join(this.#folder, name));
      this.#sizes.delete(name);
      this.#durable.delete(name);
    }
  }
}
