import { type Response, Router } from 'express';
import type { FileContent } from '@steadyhand/sessions';
import type { ServerDeps } from '../deps.ts';
import { readUpload } from '../files/upload-form.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';
import { sendBytes } from '../send-bytes.ts';

/** `/v1/files` of the Files API. */
export function fileRoutes({ files }: Pick<ServerDeps, 'files'>): Router {
  const router = Router();
  route(router, '/v1/files', {
    get: async (req, res) => void res.json(await files.list(queryOf(req))),
    post: async (req, res) => {
      const { file, facts } = await readUpload(req, files.receive, files.maxBytes);
      res.json(await file.keep(facts));
    },
  });
  route(router, '/v1/files/:id', {
    get: async (req, res) => void res.json(await files.retrieve(pathPart(req, 'id'))),
    delete: async (req, res) => void res.json(await files.delete(pathPart(req, 'id'))),
  });
  route(router, '/v1/files/:id/content', {
    get: async (req, res) => {
      const { body, ...content } = await files.content(pathPart(req, 'id'));
      describeContent(res, content);
      await sendBytes(req, res, body);
    },
  });
  return router;
}

/** Always a download: a file may hold a page, and this server's address is one that a browser trusts. */
function describeContent(res: Response, { metadata, size, hash }: Omit<FileContent, 'body'>): void {
  res.attachment(metadata.filename);
  // As it was found: Express would add a charset to a text's.
  res.setHeader('content-type', metadata.mime_type);
  res.setHeader('content-length', String(size));
  res.setHeader('cache-control', 'private, no-cache');
  res.setHeader('etag', `"${hash}"`);
}
