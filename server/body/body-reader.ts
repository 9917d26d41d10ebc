import type { Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import type { Request, Response } from 'express';
import { ClientGoneError } from '../http/gone-signal.ts';
import { createPace } from '../http/pacing.ts';
import { RequestRefusedError } from './request-refused.ts';

/** How much, and for how long, is still read from a client that was refused in mid-upload. */
const DISCARD_BYTES = 16 * 1024 * 1024;
const DISCARD_MS = 2000;

/** The bound of all bodies together: it admits some small ones, and always two of the largest. */
const TOTAL_BYTES = 512 * 1024 * 1024;

export interface BodyLimits {
  /** Of one body. */
  readonly bytes: number;
  /** From the headers to the last byte. */
  readonly ms: number;
}

export interface ReadOptions {
  readonly inflate?: boolean;
  readonly hold?: 'answer' | 'reading';
}

/** Reads request bodies whole, within bounds for each and for all of them together. */
export interface BodyReader {
  /**
   * The body's bytes. They count towards the common bound until the answer is closed. Where `hold` is `reading` they count
   * only until they are read, which suits answers that take minutes, as a model's do. Gzip and deflate are decoded when
   * `inflate` is set (the bounds hold for the decoded bytes); otherwise an encoded body is refused.
   * Throws RequestRefusedError: 400 broken encoding, 408 too slow, 413 too large, 415 unknown encoding, 503 too much at once;
   * ClientGoneError when it broke off.
   */
  read(req: Request, res: Response, options?: ReadOptions): Promise<Buffer>;
}

/** @param totalBytes for all bodies together */
export function createBodyReader(
  limits: BodyLimits,
  totalBytes = Math.max(limits.bytes * 2, Math.min(limits.bytes * 8, TOTAL_BYTES)),
): BodyReader {
  let bytesHeld = 0;
  return {
    read: async (req, res, { inflate = false, hold = 'answer' } = {}) => {
      if (Number(req.headers['content-length']) > limits.bytes) throw tooLarge(limits.bytes);
      const decoder = decoderFor(req, inflate);
      let held = 0;
      const release = (): void => {
        bytesHeld -= held;
        held = 0;
      };
      res.once('close', release);
      const chunks = await collect(req, decoder, limits, (bytes) => {
        if (bytesHeld + bytes > totalBytes) {
          throw new RequestRefusedError(503, 'Too many uploads are under way', { 'retry-after': '1' });
        }
        if (res.closed) return;
        bytesHeld += bytes;
        held += bytes;
      });
      const whole = await join(chunks);
      if (hold === 'reading') release();
      return whole;
    },
  };
}

/** What takes the content encoding off; null when there is none. */
export function decoderFor(req: Request, inflate: boolean): Transform | null {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return null;
  if (inflate && (encoding === 'gzip' || encoding === 'x-gzip')) return createGunzip();
  if (inflate && encoding === 'deflate') return createInflate();
  const taken = inflate ? 'gzip and deflate are taken' : 'none is taken here';
  throw new RequestRefusedError(415, `content-encoding: ${encoding} is not supported; ${taken}`);
}

function collect(
  req: Request,
  decoder: Transform | null,
  { bytes: limit, ms }: BodyLimits,
  take: (bytes: number) => void,
): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const source = decoder === null ? req : req.pipe(decoder);
    const chunks: Buffer[] = [];
    // Where the length is declared, the pieces go into one buffer as they arrive, so that their memory is freed early.
    const declared = decoder === null ? Number(req.headers['content-length'] ?? NaN) : NaN;
    let whole: Buffer | undefined;
    let size = 0;
    const stop = (): void => {
      clearTimeout(timer);
      source.off('data', onData).off('end', onEnd).off('error', onBroken);
      req.off('close', onClose).off('error', onBroken);
      // Whatever comes later has nobody to tell.
      req.on('error', () => {});
    };
    const refuse = (error: Error): void => {
      stop();
      if (decoder !== null) {
        req.unpipe(decoder);
        decoder.on('error', () => {}).destroy();
      }
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) {
        refuse(tooLarge(limit));
        return;
      }
      try {
        take(chunk.length);
      } catch (error) {
        refuse(error as Error);
        return;
      }
      if (Number.isNaN(declared)) {
        chunks.push(chunk);
        return;
      }
      whole ??= Buffer.allocUnsafeSlow(declared);
      chunk.copy(whole, size - chunk.length);
    };
    const onEnd = (): void => {
      stop();
      resolve(whole === undefined ? chunks : [whole]);
    };
    const onClose = (): void => {
      if (!req.complete) refuse(new ClientGoneError());
    };
    const onBroken = (error: Error): void => {
      if (!req.complete && req.destroyed) refuse(new ClientGoneError());
      else refuse(new RequestRefusedError(400, `The request body cannot be read: ${error.message}`));
    };
    const timer = setTimeout(
      () => refuse(new RequestRefusedError(408, `The request body did not arrive within ${ms} ms`)),
      ms,
    );
    source.on('data', onData).once('end', onEnd).once('error', onBroken);
    req.once('close', onClose);
    if (source !== req) req.once('error', onBroken);
    // It may have closed before anybody listened.
    if (req.destroyed) onClose();
  });
}

/** One piece of many, copied in turns: the memory is new, and the kernel takes its time to give out megabytes of it. */
async function join(chunks: readonly Buffer[]): Promise<Buffer> {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  const pace = createPace();
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.copy(whole, at);
    await pace();
  }
  return whole;
}

/**
 * Call before a refusal is sent to a client that may still be sending. Closing at once would reset the connection, and
 * most clients would then see that in place of the answer; so what they send is read and dropped for a moment.
 */
export function discardRest(req: Request, res: Response): void {
  if (req.complete || req.destroyed) return;
  // Else Node closes as soon as the answer is written, as the client asked it to.
  if (!res.hasHeader('connection')) res.shouldKeepAlive = true;
  res.once('finish', () => {
    // Whoever read it piece by piece does so no more; as long as he is listened for, nothing flows.
    req.removeAllListeners('readable');
    req.on('error', () => {});
    if (req.complete) {
      req.resume();
      return;
    }
    let left = DISCARD_BYTES;
    const { socket } = req;
    const cut = setTimeout(() => socket.destroy(), DISCARD_MS);
    const end = (): void => {
      clearTimeout(cut);
      socket.off('close', end);
    };
    req.once('end', end);
    socket.once('close', end);
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      // Not read further: its sender stands still and finds the answer, or the timer finds it.
      if (left < 0) req.pause();
    });
    req.resume();
  });
}

function tooLarge(bytes: number): RequestRefusedError {
  return new RequestRefusedError(413, `The request body is larger than ${bytes} bytes`);
}
