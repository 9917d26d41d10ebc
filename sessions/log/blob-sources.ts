import { BlobMissingError, type Blobs } from '@steadyhand/store';
import type { Base64Source, BlobSource, NewEvent } from '../events/types.ts';

/** A value with every base64 source in it replaced by a blob. */
type WithBlobs<T> = T extends Base64Source
  ? BlobSource
  : T extends readonly (infer Item)[]
    ? readonly WithBlobs<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: WithBlobs<T[K]> }
      : T;

/** Moves an event's bytes into the blob store, durably, before the event that names them is appended. */
export async function storeBytes(blobs: Blobs, event: NewEvent): Promise<WithBlobs<NewEvent>> {
  if (!('content' in event.body) || event.body.content === undefined) return event as WithBlobs<NewEvent>;
  const content = await storeContentBytes(blobs, event.body.content);
  return { ...event, body: { ...event.body, content } } as unknown as WithBlobs<NewEvent>;
}

/** The same for a list of content blocks, e.g. a tool's outcome before it is recorded as an effect. */
export async function storeContentBytes<Block extends object>(
  blobs: Blobs,
  content: readonly Block[],
): Promise<readonly WithBlobs<Block>[]> {
  return Promise.all(content.map(async (block) => (await replaced(blobs, block)) as WithBlobs<Block>));
}

const ATTEMPTS = 3;

/**
 * Puts bytes and writes what names them. Between the two, a session that was deleted may have taken equal bytes with it: they
 * are put again then.
 */
export async function putAndName<Stored, T>(
  put: () => Promise<Stored>,
  name: (stored: Stored) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await name(await put());
    } catch (error) {
      if (!(error instanceof BlobMissingError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Only sources hold bytes, and they stand directly in their blocks. */
async function replaced(blobs: Blobs, block: object): Promise<object> {
  if (!('source' in block) || !isBase64(block.source)) return block;
  const { media_type, data } = block.source;
  const sha256 = await blobs.put(Buffer.from(data, 'base64'));
  return { ...block, source: { type: 'blob', sha256, media_type } satisfies BlobSource };
}

/** The way back: each blob source becomes what `resolve` makes of it. */
export async function replaceBlobs(
  content: readonly object[],
  resolve: (source: BlobSource) => Promise<object>,
): Promise<object[]> {
  return Promise.all(
    content.map(async (block) =>
      isBlobBlock(block) ? { ...block, source: await resolve(block.source) } : block,
    ),
  );
}

/** Reads blobs as base64 sources. */
export function base64Loader(blobs: Blobs): (source: BlobSource) => Promise<Base64Source> {
  return async ({ sha256, media_type }) => ({
    type: 'base64',
    media_type,
    data: Buffer.from(await blobs.get(sha256)).toString('base64'),
  });
}

function isBase64(source: unknown): source is Base64Source {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'base64';
}

export function isBlobBlock(block: object): block is { readonly source: BlobSource } {
  return 'source' in block && isBlob(block.source);
}

function isBlob(source: unknown): source is BlobSource {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'blob';
}
