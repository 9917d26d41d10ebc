import type { Readable } from 'node:stream';
import type { BetaDeletedFile, BetaFileMetadata } from '@anthropic-ai/sdk/resources/beta/files.js';
import { z } from 'zod';
import { ApiError } from '@steadyhand/contracts';
import type { FileContents } from '@steadyhand/messages';
import {
  type ByteRange,
  BytesTooManyError,
  type FileRecord,
  type NewId,
  StorageFullError,
  type Store,
} from '@steadyhand/store';
import { afterId, beforeId, encodePage, limit, page, Query } from '../api/query.ts';
import { InvalidRequestError, parse } from '../api/validate.ts';
import { fileName } from './file-name.ts';
import { fileType } from './file-type.ts';

/** The largest file, in bytes: the API's own limit. */
export const FILE_LIMIT_BYTES = 500 * 1024 * 1024;

const MAX_IDS = 100;

export const filesQuery = {
  limit: limit(20),
  page,
  after_id: afterId,
  before_id: beforeId,
  ids: z.array(z.string()).max(MAX_IDS).optional(),
  scope_id: z.string().describe('A session’s id: its copies and what its agent left').optional(),
};
type FilesQuery = Query<typeof filesQuery>;

/** What a form says of its file beside the bytes. */
export interface UploadFacts {
  readonly filename: string | undefined;
  /** The part's own content type. */
  readonly mimeType: string | undefined;
  /** The form's other fields, unchecked. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Bytes that have arrived completely. The caller calls one of `keep` and `discard`. */
export interface ReceivedFile {
  /** Makes the file. For invalid fields it throws InvalidRequestError and discards the bytes. */
  keep(facts: UploadFacts): Promise<BetaFileMetadata>;
  readonly discard: () => Promise<void>;
}

/**
 * A list in the forms of all official clients: `next_page` serves those that send `page`, the ids serve those that send
 * `after_id` and `before_id`.
 */
export interface FilePage {
  readonly data: readonly BetaFileMetadata[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly next_page: string | null;
}

/** The Files API. The methods validate their input and reject with an ApiError `not_found_error` for unknown ids. */
export interface Files extends FileContents {
  /** The largest size of a file. */
  readonly maxBytes: number;
  /** Stores a file's bytes as they arrive. Throws an ApiError `request_too_large`; after a failure nothing is left. */
  readonly receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>;
  list(query: URLSearchParams): Promise<FilePage>;
  retrieve(id: string): Promise<BetaFileMetadata>;
  /** Throws an ApiError 404 with `details.error_code` `file_expired` for an expired file. */
  content(id: string, range?: ByteRange): Promise<FileContent>;
  delete(id: string): Promise<BetaDeletedFile>;
}

/** A file as it is answered. For a file that a session's agent made, `path` is where it was in the sandbox. */
export type SessionFileMetadata = BetaFileMetadata & { readonly path?: string };

export interface FileContent {
  readonly metadata: BetaFileMetadata;
  /** That of the whole file. */
  readonly size: number;
  /** SHA-256 of the whole file, in hex. */
  readonly hash: string;
  readonly body: Readable;
}

interface FilesOptions {
  readonly store: Pick<Store, 'files'>;
  readonly newId: NewId;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  /** Default 500 MB. */
  readonly maxBytes?: number;
}

const uploadFields = z.strictObject({
  expires_in_seconds: z.exactOptional(
    z
      .string()
      .refine((text) => /^\d{1,9}$/.test(text), {
        message: 'Input should be a valid integer, unable to parse string as an integer',
      })
      .transform(Number)
      .pipe(z.int().min(3600).max(7_776_000)),
  ),
});

const fileId = z.string().regex(/^file_[A-Za-z0-9]+$/);

export function createFiles(options: FilesOptions): Files {
  const { store, newId, now = Date.now, maxBytes = FILE_LIMIT_BYTES } = options;
  const { files } = store;

  const present = async (id: string): Promise<FileRecord> => {
    const record = await files.get(id);
    if (record === undefined || record.details !== null) throw notFound(id);
    return record;
  };
  const live = async (id: string): Promise<FileRecord> => {
    const record = await present(id);
    if (record.expires_at === null || now() < Date.parse(record.expires_at)) return record;
    throw new ApiError('not_found_error', `File \`${id}\` has expired.`, {
      details: { error_code: 'file_expired' },
    });
  };

  return {
    maxBytes,
    receive: async (bytes) => {
      const staged = await files.stage(bytes, maxBytes).catch((error: unknown) => explain(error));
      const { discard, head } = staged;
      return {
        discard,
        async keep({ filename, mimeType, fields }) {
          try {
            const { expires_in_seconds: expiresInSeconds } = parse(uploadFields, fields);
            const type = fileType(mimeType, filename, head);
            return view(
              await staged.keep({
                id: newId('file'),
                filename: fileName(filename, type),
                mime_type: type,
                ...(expiresInSeconds !== undefined && { expiresInSeconds }),
              }),
            );
          } catch (error) {
            await discard();
            throw error;
          }
        },
      };
    },

    async list(params) {
      const query = new Query(params, filesQuery);
      const ids = query.texts('ids');
      if (ids !== undefined) return whole(await listed(query, ids));
      const most = query.integer('limit');
      const scope = query.text('scope_id');
      const before = place(query, 'before_id');
      const after = query.page(fileId) ?? place(query, 'after_id');
      const found = await files.list({
        limit: most + 1,
        ...(scope !== undefined && { scope }),
        ...(after !== undefined && { after }),
        ...(before !== undefined && { before }),
      });
      const more = found.length > most;
      // Newest first; one too many is the one that is farthest from where the page was asked from.
      const shown = before === undefined ? found.slice(0, most) : found.slice(-most);
      const last = shown.at(-1)?.id ?? null;
      return {
        ...whole(shown),
        has_more: more,
        next_page: more && last !== null && before === undefined ? encodePage(last) : null,
      };
    },

    retrieve: async (id) => view(await present(id)),
    describe: async (id) => live(id),
    read: async (id) => {
      await live(id);
      return files.read(id);
    },
    async content(id, range) {
      const metadata = view(await live(id));
      return { metadata, ...(await files.stream(id, range)) };
    },
    async delete(id) {
      await present(id);
      if (!(await files.delete(id))) throw notFound(id);
      return { id, type: 'file_deleted' };
    },
  };

  async function listed(query: FilesQuery, ids: readonly string[]): Promise<readonly FileRecord[]> {
    const wanted = [...new Set(ids)];
    if (wanted.length > MAX_IDS) {
      throw new InvalidRequestError(`ids: List should have at most ${MAX_IDS} items, not ${wanted.length}`);
    }
    for (const name of ['limit', 'page', 'after_id', 'before_id'] as const) {
      if (query.text(name) !== undefined)
        throw new InvalidRequestError(`ids: cannot be given together with ${name}`);
    }
    return files.list({ limit: MAX_IDS, ids: wanted });
  }
}

/** The text is the API's own. */
function notFound(id: string): ApiError {
  return new ApiError('not_found_error', `File \`${id}\` not found.`);
}

function place(query: FilesQuery, name: 'after_id' | 'before_id'): string | undefined {
  const id = query.text(name);
  return id === undefined ? undefined : parse(z.object({ [name]: fileId }), { [name]: id })[name];
}

function whole(records: readonly FileRecord[]): FilePage {
  return {
    data: records.map(view),
    has_more: false,
    first_id: records[0]?.id ?? null,
    last_id: records.at(-1)?.id ?? null,
    next_page: null,
  };
}

/** Every file may be downloaded: the owner or the owner's agent stored it, and the server has no other users. */
function view(record: FileRecord): SessionFileMetadata {
  const { id, created_at, expires_at, filename, mime_type, size_bytes, scope, origin } = record;
  return {
    id,
    created_at,
    expires_at,
    filename,
    mime_type,
    size_bytes,
    type: 'file',
    downloadable: true,
    scope: scope === null ? null : { type: 'session', id: scope },
    ...(origin !== null && { path: origin }),
  };
}

function explain(error: unknown): never {
  if (error instanceof BytesTooManyError) {
    throw new ApiError('request_too_large', `File exceeds the maximum size of ${error.maxBytes} bytes`);
  }
  if (isDiskFull(error)) {
    throw new InvalidRequestError('The disk is full: delete files to free up space, then retry the upload', {
      error_code: 'storage_quota_exceeded',
    });
  }
  throw error;
}

function isDiskFull(error: unknown): boolean {
  if (error instanceof StorageFullError) return true;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
