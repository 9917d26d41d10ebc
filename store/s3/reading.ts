import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { NotStoredError } from '../contract/errors.ts';
import type { ObjectStream } from '../contract/objects.ts';
import type { ByteRange } from '../contract/ranges.ts';
import { checked } from '../objects/checked.ts';
import { drained, pauseAfter, type S3Client } from './client.ts';

/** How often a body is continued without a single byte having come in between. */
const CONTINUATIONS = 5;

interface Opened {
  /** The size of the whole object. */
  readonly size: number;
  readonly tag: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Opens an object, from a byte on when `start` is given. Undefined where there is none. */
async function open(
  client: S3Client,
  key: string,
  range: { readonly start: number; readonly end?: number; readonly tag?: string } | undefined,
): Promise<Opened | undefined> {
  const headers: Record<string, string> = {};
  if (range !== undefined) {
    headers['range'] = `bytes=${range.start}-${range.end === undefined ? '' : range.end - 1}`;
    if (range.tag !== undefined) headers['if-match'] = range.tag;
  }
  const { message, status } = await client.request({ method: 'GET', key, headers }, [404, 412]);
  if (status === 404 || status === 412) {
    await drained(message);
    return undefined;
  }
  const total = /\/(\d+)$/.exec(message.headers['content-range'] ?? '')?.[1];
  if (range !== undefined && total === undefined && range.start > 0) {
    message.destroy();
    throw client.away(new Error('it sent a whole object where a part was asked for'));
  }
  return {
    size: Number(total ?? message.headers['content-length'] ?? 0),
    tag: message.headers.etag ?? '',
    pieces: message as AsyncIterable<Uint8Array>,
  };
}

/** The bytes of an object or of a range of it. A connection that breaks is taken up again where it broke. */
export async function streamObject(
  client: S3Client,
  key: string,
  name: string,
  { range, sha256 }: { readonly range?: ByteRange; readonly sha256?: string } = {},
): Promise<ObjectStream> {
  const first = await open(client, key, range);
  if (first === undefined) throw new NotStoredError('object', name);
  const { size, tag } = first;
  const end = Math.min(range?.end ?? size, size);

  async function* pieces(): AsyncGenerator<Uint8Array> {
    let at = range?.start ?? 0;
    let failures = 0;
    let opened: Opened | undefined = first;
    while (at < end) {
      try {
        opened ??= await open(client, key, { start: at, end, tag });
        if (opened === undefined) throw new NotStoredError('object', name);
        for await (const piece of opened.pieces) {
          failures = 0;
          at += piece.byteLength;
          yield piece;
        }
        if (at < end) throw new Error(`the body ended at byte ${at} of ${end}`);
      } catch (error) {
        if (error instanceof NotStoredError) throw error;
        failures += 1;
        if (failures > CONTINUATIONS) throw client.away(error);
        opened = undefined;
        await wait(pauseAfter(failures));
      }
    }
  }

  const isWhole = (range?.start ?? 0) === 0 && end === size;
  const body = sha256 !== undefined && isWhole ? checked(pieces(), sha256, name) : pieces();
  return { size, body: Readable.from(body, { objectMode: false }) };
}
