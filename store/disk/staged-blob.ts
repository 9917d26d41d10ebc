import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { BytesTooManyError } from '../contract/errors.ts';

/** How much of the beginning is kept in memory, to tell the type of the bytes by. */
const HEAD_BYTES = 8 * 1024;

/** Bytes that are flushed to the disk under a temporary name. */
interface StagedBlob {
  /** The temporary file. */
  readonly path: string;
  /** SHA-256, 64 lowercase hex digits. */
  readonly hash: string;
  readonly size: number;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
}

/**
 * Writes bytes to a new file at `path` as they arrive, with one piece at a time in memory. A failure, of the source
 * too, leaves no file.
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

/** Writes all bytes: a single write may take only a part of them. */
async function writeAll(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    done += (await file.write(bytes, done)).bytesWritten;
  }
}
