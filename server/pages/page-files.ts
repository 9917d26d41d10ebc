import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { ApiError } from '@steadyhand/contracts';

/** How a browser may keep a file: it asks each time whether the file still holds, or after a day, or never again. */
export type Caching = 'no-cache' | 'public, max-age=86400' | 'public, max-age=31536000, immutable';

/** The files of one folder for the web. Their entity tags are made of their content, so a copy made anew is not sent anew. */
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
      const compressed = await compressedFor(res, file, found.mtimeMs);
      const sent = compressed ?? { file, found };
      res.set({ etag: await etagOf(sent.file, sent.found), 'cache-control': caching });
      await new Promise<void>((resolve, reject) => {
        // The names of the path have been checked; the folders above the files may be hidden ones.
        res.sendFile(
          sent.file,
          { cacheControl: false, dotfiles: 'allow' },
          (error?: NodeJS.ErrnoException) => {
            // A client that went away while it was sent is not this server's fault.
            if (error === undefined || res.headersSent || error.code === 'ECONNABORTED') resolve();
            else reject(error);
          },
        );
      });
    },
  };
}

/** How files may be compressed, best first, and how the names of such copies end. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The compressed copy that the build wrote beside a file, where the browser takes it; the response says what it is then. */
async function compressedFor(
  res: Response,
  file: string,
  changedMs: number,
): Promise<{ readonly file: string; readonly found: Stats } | undefined> {
  for (const [coding, ending] of CODINGS) {
    const found = await stat(file + ending).catch(ignoreAbsence);
    // One that is older than the file is a copy of something else.
    if (found?.isFile() !== true || found.mtimeMs < changedMs) continue;
    res.vary('accept-encoding');
    if (res.req.acceptsEncodings(coding) !== coding) continue;
    res.type(path.extname(file)).set('content-encoding', coding);
    return { file: file + ending, found };
  }
  return undefined;
}

/** Whether this names one file or folder: it leads nowhere else, is not hidden, and holds no separator or control character. */
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
