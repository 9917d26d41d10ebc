import type { Readable, Transform } from 'node:stream';
import type { Request } from 'express';
import { BATCH_BODY_BYTES } from '@steadyhand/batches';
import { InvalidRequestError } from '@steadyhand/contracts';
import { ClientGoneError } from '../http/gone-signal.ts';
import { decoderFor } from './body-reader.ts';
import { asApiError, bodyTooLarge, charsetOf } from './read-json.ts';

/** How long a body may take to arrive: what 256 MB take over 8 Mbit/s. */
const BODY_MS = 280_000;

/**
 * The body of a batch, piece by piece as it arrives: at 256 MB it is never held as a whole. Throws InvalidRequestError for another
 * content type or encoding and for a body that is late, ApiError (413), ClientGoneError.
 */
export function batchBody(req: Request, timeoutMs = BODY_MS): AsyncIterable<Uint8Array> {
  const charset = charsetOf(req);
  if (!/^(?:utf-?8|(?:us-)?ascii)$/i.test(charset)) {
    throw new InvalidRequestError(
      `content-type: charset ${charset} is not supported; send no charset or UTF-8`,
    );
  }
  const decoder = decoderOf(req);
  if (Number(req.headers['content-length']) > BATCH_BODY_BYTES) throw bodyTooLarge();
  return pieces(req, decoder, timeoutMs);
}

async function* pieces(
  req: Request,
  decoder: Transform | null,
  timeoutMs: number,
): AsyncGenerator<Uint8Array> {
  const source: Readable = decoder === null ? req : req.pipe(decoder);
  // Whoever stops early still answers on this connection.
  const iterator = source.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  let late: NodeJS.Timeout | undefined;
  let leave = (): void => {};
  const stop = new Promise<never>((_resolve, reject) => {
    late = setTimeout(
      () => reject(new InvalidRequestError(`The request body did not arrive within ${timeoutMs} ms`)),
      timeoutMs,
    );
    // A decoder never hears of it.
    leave = () => {
      if (!req.complete) reject(new ClientGoneError());
    };
    req.once('close', leave);
  });
  stop.catch(() => {});
  let size = 0;
  try {
    for (;;) {
      const next: IteratorResult<Uint8Array, undefined> = await Promise.race([iterator.next(), stop]);
      if (next.done === true) return;
      const { value } = next;
      size += value.length;
      if (size > BATCH_BODY_BYTES) throw bodyTooLarge();
      yield value;
    }
  } catch (error) {
    throw fault(req, error, decoder);
  } finally {
    clearTimeout(late);
    req.off('close', leave);
    req.on('error', () => {});
    if (decoder !== null) {
      req.unpipe(decoder);
      decoder.on('error', () => {}).destroy();
    }
  }
}

function decoderOf(req: Request): Transform | null {
  try {
    return decoderFor(req, true);
  } catch (error) {
    return asApiError(error);
  }
}

/** The connection's own error means that the client left, the decoder's that it sent something else than it said. */
function fault(req: Request, error: unknown, decoder: Transform | null): unknown {
  if (req.destroyed && !req.complete) return new ClientGoneError();
  const broken = decoder?.errored ?? null;
  if (broken !== null && broken === error) {
    return new InvalidRequestError(`The request body cannot be read: ${broken.message}`);
  }
  return error;
}
