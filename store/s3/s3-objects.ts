import { createHash } from 'node:crypto';
import {
  CorruptError,
  NotStoredError,
  ObjectExistsError,
  ObjectStoreRefusedError,
} from '../contract/errors.ts';
import { type FoundObject, isObjectName, type ListedObject, type ObjectStore } from '../contract/objects.ts';
import { inParts, PassingBytes } from '../objects/staging.ts';
import { drained, S3Client, type S3Options } from './client.ts';
import { abortUpload, MultipartUpload, unfinishedUploads } from './multipart.ts';
import { streamObject } from './reading.ts';
import { elements, elementText } from './xml.ts';

/** The size of an upload's parts. A store takes 10,000 of them, which makes 80 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** How many objects are deleted at a time. */
const DELETES = 8;
/** How often an object is read whose bytes come wrong. */
const READS = 2;

/** Objects in a bucket of an S3-compatible store, under the address's prefix. */
export function openS3Objects(options: S3Options): ObjectStore {
  const client = new S3Client(options);
  const { now = Date.now } = options;
  const { prefix, bucket } = client.address;

  const keyOf = (name: string): string => {
    if (!isObjectName(name)) throw new NotStoredError('object', name);
    return prefix + name;
  };

  const find = async (name: string): Promise<FoundObject | undefined> => {
    const { message, status } = await client.request({ method: 'HEAD', key: keyOf(name) }, [404]);
    await drained(message);
    if (status === 404) return undefined;
    const writtenAt = Date.parse(message.headers['last-modified'] ?? '');
    return { size: Number(message.headers['content-length'] ?? 0), writtenAt };
  };

  const isThere = async (name: string, size: number): Promise<boolean> => (await find(name))?.size === size;

  const put = async (name: string, bytes: Uint8Array): Promise<void> => {
    const { status, attempts, message } = await client.request(
      { method: 'PUT', key: keyOf(name), headers: { 'if-none-match': '*' }, body: bytes },
      [412],
    );
    await drained(message);
    // The answer to an earlier attempt may have been lost.
    if (status === 412 && !(attempts > 1 && (await isThere(name, bytes.byteLength))))
      throw new ObjectExistsError(name);
  };

  const read = async (name: string): Promise<Buffer> => {
    const { body } = await streamObject(client, keyOf(name), name);
    const pieces: Buffer[] = [];
    for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
    return Buffer.concat(pieces);
  };

  return {
    place: client.place,
    put,
    find,
    async stage(name, source, maxBytes) {
      const passing = new PassingBytes(maxBytes);
      let upload: MultipartUpload | undefined;
      try {
        for await (const { bytes, isLast } of inParts(noted(source, passing), PART_BYTES)) {
          if (upload === undefined && isLast) {
            await put(name, bytes);
            break;
          }
          upload ??= await MultipartUpload.begin(client, keyOf(name));
          await upload.part(bytes);
          if (isLast) await upload.complete(() => isThere(name, passing.size));
        }
      } catch (error) {
        // What cannot be removed now is found by the sweep.
        await upload?.abort().catch(() => undefined);
        throw error;
      }
      return { name, ...passing.facts() };
    },
    async get(name, sha256) {
      for (let attempt = 1; ; attempt += 1) {
        const bytes = await read(name);
        if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
        if (attempt === READS) throw new CorruptError(`the bytes of object ${name} are not ${sha256}`);
      }
    },
    stream: (name, streamed) => streamObject(client, keyOf(name), name, streamed),
    async delete(names) {
      const left = [...names];
      const work = async (): Promise<void> => {
        for (let name = left.pop(); name !== undefined; name = left.pop()) {
          const { message } = await client.request({ method: 'DELETE', key: keyOf(name) }, [404]);
          await drained(message);
        }
      };
      await Promise.all(Array.from({ length: DELETES }, work));
    },
    async *list(under, after) {
      let place: Record<string, string> = after === undefined ? {} : { 'start-after': prefix + after };
      for (;;) {
        const query = { 'list-type': '2', prefix: prefix + under, ...place };
        const { text } = await client.text({ method: 'GET', query });
        yield elements(text, 'Contents').map((each): ListedObject => ({
          name: (elementText(each, 'Key') ?? '').slice(prefix.length),
          size: Number(elementText(each, 'Size')),
          writtenAt: Date.parse(elementText(each, 'LastModified') ?? ''),
        }));
        const next = elementText(text, 'NextContinuationToken');
        if (elementText(text, 'IsTruncated') !== 'true' || next === undefined) return;
        place = { 'continuation-token': next };
      }
    },
    async removeUnfinished(under, olderThanMs) {
      for await (const { key, id, begunAt } of unfinishedUploads(client, prefix + under)) {
        if (now() - begunAt > olderThanMs) await abortUpload(client, key, id);
      }
    },
    async check() {
      const { message, status } = await client.request({ method: 'HEAD' }, [404]);
      await drained(message);
      if (status === 404)
        throw new ObjectStoreRefusedError(
          client.place,
          status,
          'NoSuchBucket',
          `there is no bucket ${bucket}`,
        );
    },
    close: () => client.close(),
  };
}

async function* noted(source: AsyncIterable<Uint8Array>, passing: PassingBytes): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    passing.add(piece);
    yield piece;
  }
}
