import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { BytesTooManyError } from '../contract/errors.ts';

/** How much of the beginning is kept in memory, for whoever wants to know what the bytes are. */
const HEAD_BYTES = 8 * 1024;

/** Bytes that are on the disk, flushed, but have no name yet. */
export interface StagedBlob {
  /** The temporary file. */
  readonly path: string;
  /** SHA-256, 64 lowercase hex digits. */
  readonly hash: string;
  readonly size: number;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
}

/**
 * Writes bytes to a new file at `path` as they come; one piece at a time is in memory. Whatever ends it early, the
 * source's own fault too, leaves no file.
 * @throws {BytesTooManyError} when there are more than `maxBytes`
 */
export async function stageBlob(
  path: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StagedBlob> {
  const digest = createHash('sha256');
  const head: Uint8Array[] = [];
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      for await (const piece of source) {
        if (size < HEAD_BYTES) head.push(Uint8Array.from(piece.subarray(0, HEAD_BYTES - size)));
        size += piece.byteLength;
        if (size > maxBytes) throw new BytesTooManyError(maxBytes);
        digest.update(piece);
        await writeAll(file, piece);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, hash: digest.digest('hex'), size, head: Buffer.concat(head) };
}

/** A write may take less than it was given. */
async function writeAll(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    done += (await file.write(bytes, done)).bytesWritten;
  }
}
