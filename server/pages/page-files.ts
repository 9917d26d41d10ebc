import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { ApiError } from '@steadyhand/contracts';

/** How a browser may keep a file: ask each time whether it still holds, or ask again after a day. */
export type Caching = 'no-cache' | 'public, max-age=86400';

/** Files of one folder for the web. Their entity tags are made of their content, so a copy made anew is not sent anew. */
export interface PageFiles {
  /**
   * Answers with the file; throws a `not_found_error` when there is none.
   * @param segments the parts of its path below the folder, decoded
   */
  send(res: Response, segments: readonly string[], caching: Caching): Promise<void>;
}

interface Tagged {
  readonly mtimeMs: number;
  readonly size: number;
  readonly etag: string;
}

/** Serves the files under `root`, and nothing outside it, hidden or linked away. */
export function pageFiles(root: string): PageFiles {
  const tags = new Map<string, Tagged>();

  const etagOf = async (
    file: string,
    { mtimeMs, size }: { mtimeMs: number; size: number },
  ): Promise<string> => {
    const known = tags.get(file);
    if (known !== undefined && known.mtimeMs === mtimeMs && known.size === size) return known.etag;
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    const etag = `"${hash.digest('base64url').slice(0, 27)}"`;
    tags.set(file, { mtimeMs, size, etag });
    return etag;
  };

  return {
    async send(res, segments, caching) {
      if (!segments.every(isPlainName)) throw notThere();
      const file = await realpath(path.join(root, ...segments)).catch(ignoreAbsence);
      if (file === undefined || !file.startsWith((await realpath(root)) + path.sep)) throw notThere();
      const found = await stat(file).catch(ignoreAbsence);
      if (found?.isFile() !== true) throw notThere();
      res.set({ etag: await etagOf(file, found), 'cache-control': caching });
      await new Promise<void>((resolve, reject) => {
        // The names have been looked at; those of the folders above the files are nobody's business.
        res.sendFile(file, { cacheControl: false, dotfiles: 'allow' }, (error?: NodeJS.ErrnoException) => {
          // A client that went away while it was sent is not this server's fault.
          if (error === undefined || res.headersSent || error.code === 'ECONNABORTED') resolve();
          else reject(error);
        });
      });
    },
  };
}

/** A name of one file or folder: no way up, nothing hidden, no separator of any system, nothing that ends a text. */
function isPlainName(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[/\\\p{Cc}]/u.test(segment);
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(error.code ?? '')) return undefined;
  throw error;
}

function notThere(): ApiError {
  return new ApiError('not_found_error', 'Not Found');
}
