import { z } from 'zod';
import { ApiError } from '@steadyhand/contracts';
import { type Blobs, isBlobHash } from '@steadyhand/store';
import { sendBytes } from '../http/send.ts';
import { bytesOf } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';

/** The types that a browser may show. Anything else is a download, because a blob can hold what an agent wrote. */
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The path under which a blob's bytes are found. */
export function blobLink(sha256: string, mediaType: string): string {
  return `/v1/blobs/${sha256}?media_type=${encodeURIComponent(mediaType)}`;
}

const route = routesOf<{ readonly blobs: Pick<Blobs, 'stream'> }>()('Events', {
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('The hash of the bytes'),
});

/** The route of the bytes that events refer to. They never change under their name, so clients may keep them for ever. */
export const blobRoutes = [
  route('GET /v1/blobs/{sha256}', 'retrieveBlob', 'Retrieve bytes that an event refers to', {
    query: {
      media_type: z
        .string()
        .describe('What to answer it as, when it is a picture; anything else is a download')
        .optional(),
    },
    answer: bytesOf(...SHOWN, 'application/octet-stream'),
    handle: async ({ blobs }, { params: { sha256: hash }, search, req, res }) => {
      if (!isBlobHash(hash)) throw new ApiError('not_found_error', `Blob not found: ${hash}`);
      const { size, body } = await blobs.stream(hash);
      const mediaType = search.get('media_type') ?? '';
      const isShown = SHOWN.includes(mediaType);
      res.set({
        'content-type': isShown ? mediaType : 'application/octet-stream',
        'content-length': String(size),
        'cache-control': 'private, max-age=31536000, immutable',
        etag: `"${hash}"`,
      });
      if (!isShown) res.attachment();
      await sendBytes(req, res, body);
    },
  }),
];
