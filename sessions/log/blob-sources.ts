import { BlobMissingError, type Blobs } from '@steadyhand/store';
import type { Base64Source, BlobSource, NewEvent } from '../events/types.ts';

/** A type with every base64 source replaced by a blob. */
type WithBlobs<T> = T extends Base64Source
  ? BlobSource
  : T extends readonly (infer Item)[]
    ? readonly WithBlobs<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: WithBlobs<T[K]> }
      : T;

/** Moves an event's bytes into the blob store, durably, before the event that refers to them is appended. */
export async function storeBytes(blobs: Blobs, event: NewEvent): Promise<WithBlobs<NewEvent>> {
  if (!('content' in event.body) || event.body.content === undefined) return event as WithBlobs<NewEvent>;
  const content = await storeContentBytes(blobs, event.body.content);
  return { ...event, body: { ...event.body, content } } as unknown as WithBlobs<NewEvent>;
}

/**
 * Moves the bytes of content blocks into the blob store, e.g. of a tool's outcome before it is recorded as an effect.
 */
export async function storeContentBytes<Block extends object>(
  blobs: Blobs,
  content: readonly Block[],
): Promise<readonly WithBlobs<Block>[]> {
  return Promise.all(content.map(async (block) => (await replaced(blobs, block)) as WithBlobs<Block>));
}

const ATTEMPTS = 3;

/**
 * Puts bytes and writes the row that refers to them. If equal bytes were removed with a deleted session between the
 * two, both are repeated.
 */
export async function putAndName<Stored, T>(
  put: () => Promise<Stored>,
  reference: (stored: Stored) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await reference(await put());
    } catch (error) {
      if (!(error instanceof BlobMissingError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Replaces the bytes of a block, which only its `source` holds. */
async function replaced(blobs: Blobs, block: object): Promise<object> {
  if (!('source' in block) || !isBase64(block.source)) return block;
  const { media_type, data } = block.source;
  const sha256 = await blobs.put(Buffer.from(data, 'base64'));
  return { ...block, source: { type: 'blob', sha256, media_type } satisfies BlobSource };
}

/** Replaces each blob source by what `resolve` makes of it. */
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

/** Makes a function that reads blobs as base64 sources. */
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
