import type {
  BetaManagedAgentsDeleteSessionResource,
  BetaManagedAgentsFileResource,
} from '@anthropic-ai/sdk/resources/beta/sessions/resources.js';
import { z } from 'zod';
import { ApiError } from '@steadyhand/contracts';
import { type NewId, NotStoredError, type Store } from '@steadyhand/store';
import { encodePage, limit, type Page, page, Query } from './api/query.ts';
import {
  dataOf,
  type FileResource,
  requireSession,
  type SessionData,
  toJson,
} from './record/session-data.ts';
import { ConflictError, InvalidRequestError, NotFoundError, parse } from './api/validate.ts';
import { fileParams, type FileParams, MAX_RESOURCES, mountPath, requireApart } from './resource.ts';

/** The files that are mounted in sessions' sandboxes. Changes take effect before the session's next tool use. */
export interface Resources {
  list(session: string, query?: URLSearchParams): Promise<Page<FileResource>>;
  add(session: string, body: unknown): Promise<BetaManagedAgentsFileResource>;
  retrieve(session: string, id: string): Promise<FileResource>;
  /** Always refused, as a file has no field that could be updated. */
  update(session: string, id: string, body: unknown): Promise<FileResource>;
  delete(session: string, id: string): Promise<BetaManagedAgentsDeleteSessionResource>;
}

export const resourcesQuery = { limit: limit(20), page };
export const resourceUpdate = z.looseObject({ authorization_token: z.string() });

export function createResources(store: Store, now: () => number, newId: NewId): Resources {
  const one = async (session: string, id: string): Promise<FileResource> => {
    const found = dataOf(await requireSession(store, session)).resources?.find(
      (resource) => resource.id === id,
    );
    if (found === undefined) throw new NotFoundError('Resource', id);
    return found;
  };
  /** Changes the list in a transaction, so that concurrent changes are both kept. */
  const change = async (
    session: string,
    next: (before: readonly FileResource[]) => readonly FileResource[],
  ): Promise<void> => {
    const { archived_at } = await requireSession(store, session);
    if (archived_at !== null) throw new ConflictError(`Session ${session} is archived`);
    await store.sessions.update(session, (record) => {
      const before = dataOf(record);
      const resources = next(before.resources ?? []);
      return { data: toJson({ ...before, resources, resources_version: versionOf(before) + 1 }) };
    });
  };

  return {
    async list(session, params = new URLSearchParams()) {
      const query = new Query(params, resourcesQuery);
      const all = (dataOf(await requireSession(store, session)).resources ?? []).toSorted((a, b) =>
        a.id < b.id ? -1 : 1,
      );
      const most = query.integer('limit');
      const after = query.page(z.string());
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id > after);
      const shown = start < 0 ? [] : all.slice(start, start + most);
      const last = shown.at(-1);
      const more = last !== undefined && all.at(-1) !== last;
      return { data: shown, next_page: more ? encodePage(last.id) : null };
    },
    async add(session, body) {
      const given = parse(fileParams, body);
      await requireSession(store, session);
      const [made] = await mountFiles(store, session, [given], { now, newId, field: () => 'mount_path' });
      if (made === undefined) throw new Error('nothing was mounted');
      try {
        await change(session, (before) => {
          if (before.length >= MAX_RESOURCES)
            throw new InvalidRequestError(`resources: a session has at most ${MAX_RESOURCES}`);
          requireApart([...before, made].map(({ mount_path }) => mount_path));
          return [...before, made];
        });
      } catch (error) {
        await store.files.delete(made.file_id);
        throw error;
      }
      return made;
    },
    retrieve: one,
    async update(session, id, body) {
      parse(resourceUpdate, body);
      await one(session, id);
      throw new InvalidRequestError('authorization_token: only github_repository resources have one');
    },
    async delete(session, id) {
      const { file_id } = await one(session, id);
      await change(session, (before) => before.filter((resource) => resource.id !== id));
      await store.files.delete(file_id);
      return { id, type: 'session_resource_deleted' };
    },
  };
}

/**
 * Makes the session's own copies of files, which share their bytes. When the caller fails later, the copies are removed
 * with the session, or by the store's sweep when there is no session.
 */
export async function mountFiles(
  store: Pick<Store, 'files'>,
  session: string,
  given: readonly FileParams[],
  { now, newId, field }: { now: () => number; newId: NewId; field: (index: number) => string },
): Promise<readonly FileResource[]> {
  const paths = given.map(({ mount_path, file_id }, index) => mountPath(mount_path, file_id, field(index)));
  requireApart(paths);
  const at = new Date(now()).toISOString();
  const made: FileResource[] = [];
  for (const [index, { file_id }] of given.entries()) {
    const copy = await store.files
      .copy(file_id, { id: newId('file'), scope: session })
      .catch((error: unknown) => {
        if (error instanceof NotStoredError)
          throw new ApiError('not_found_error', `File \`${file_id}\` not found.`, { cause: error });
        throw error;
      });
    made.push({
      id: newId('sesrsc'),
      type: 'file',
      file_id: copy.id,
      mount_path: paths[index] ?? '',
      created_at: at,
      updated_at: at,
    });
  }
  return made;
}

/** How many times the session's resources have changed. */
function versionOf(data: Pick<SessionData, 'resources_version'>): number {
  return data.resources_version ?? 0;
}
