import { Router } from 'express';
import { ApiError } from '@steadyhand/contracts';
import { isBlobHash } from '@steadyhand/store';
import type { ServerDeps } from '../deps.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';
import { sendBytes } from '../send-bytes.ts';

/** Types that a browser may show. Anything else is a download: a blob can hold what an agent wrote. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Where a blob's bytes are found. */
export function blobLink(sha256: string, mediaType: string): string {
  return `/v1/blobs/${sha256}?media_type=${encodeURIComponent(mediaType)}`;
}

/** `GET /v1/blobs/{sha256}`: bytes that events refer to. A name says what is in it, so it is kept for ever. */
export function blobRoutes({ blobs }: Pick<ServerDeps, 'blobs'>): Router {
  const router = Router();
  route(router, '/v1/blobs/:sha256', {
    get: async (req, res) => {
      const hash = pathPart(req, 'sha256');
      if (!isBlobHash(hash)) throw new ApiError('not_found_error', `Blob not found: ${hash}`);
      const { size, body } = await blobs.stream(hash);
      const mediaType = queryOf(req).get('media_type') ?? '';
      res.set({
        'content-type': SHOWN.has(mediaType) ? mediaType : 'application/octet-stream',
        'content-length': String(size),
        'cache-control': 'private, max-age=31536000, immutable',
        etag: `"${hash}"`,
      });
      if (!SHOWN.has(mediaType)) res.attachment();
      await sendBytes(req, res, body);
    },
  });
  return router;
}
