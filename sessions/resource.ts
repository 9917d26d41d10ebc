import { z } from 'zod';
import { accepting } from '@steadyhand/messages';
import { oneOf, refusedKind } from './api/schema.ts';
import { InvalidRequestError } from './api/validate.ts';
import type { FileResource } from './record/session-data.ts';

/**
 * The folder of mounted files, read-only for the agent, and the folder of the files that the agent makes for the user.
 */
export const UPLOADS = '/mnt/session/uploads';
export const OUTPUTS = '/mnt/session/outputs';

/** The most resources of a session. */
export const MAX_RESOURCES = 500;

const MAX_PATH_BYTES = 1024;
const MAX_NAME_BYTES = 255;

export const fileParams = z.strictObject({
  type: z.literal('file'),
  file_id: z.string().min(1),
  mount_path: z.string().min(1).nullish(),
});

export type FileParams = z.infer<typeof fileParams>;

/** An entry of `resources`; kinds that are not supported are refused with a reason. */
const resourceParams = accepting(
  oneOf<FileParams>({
    file: fileParams,
    github_repository: refusedKind('Repositories are not mounted here: let the agent clone them'),
    memory_store: refusedKind('Memory stores are not supported'),
  }),
  fileParams,
);

export const resourceList = z.array(resourceParams).max(MAX_RESOURCES);

/**
 * Where a file is mounted: every path is relative to `/mnt/session/uploads`, as in the official service; a prefix
 * `/mnt/session/uploads/` or `/uploads/` is removed.
 * @throws {InvalidRequestError} with `field` for an empty or too long path, or one with `..` or control characters
 */
export function mountPath(given: string | null | undefined, fileId: string, field: string): string {
  const text = given ?? fileId;
  const below = [`${UPLOADS}/`, '/uploads/'].find((prefix) => text.startsWith(prefix));
  const parts = text
    .slice(below?.length ?? 0)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const path = [UPLOADS, ...parts].join('/');
  const rule =
    parts.length === 0
      ? 'names no file'
      : parts.includes('..')
        ? 'must not lead upwards'
        : Array.from(text).some((character) => character < ' ')
          ? 'must not hold control characters'
          : parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)
            ? `holds a name of more than ${MAX_NAME_BYTES} bytes`
            : Buffer.byteLength(path) > MAX_PATH_BYTES
              ? `is longer than ${MAX_PATH_BYTES} bytes`
              : null;
  if (rule !== null) throw new InvalidRequestError(`${field}: the path ${rule}`);
  return path;
}

/** @throws {InvalidRequestError} for two files at the same path, or one below another */
export function requireApart(paths: readonly string[]): void {
  const taken = new Set(paths);
  if (taken.size < paths.length)
    throw new InvalidRequestError('mount_path: another resource is mounted there');
  for (const path of taken) {
    for (let at = path.lastIndexOf('/'); at > UPLOADS.length; at = path.lastIndexOf('/', at - 1)) {
      if (taken.has(path.slice(0, at)))
        throw new InvalidRequestError(`mount_path: ${path} would lie below another resource`);
    }
  }
}

/** The part of the system prompt about mounted files; null when there are none. */
export function mountedNote(resources: readonly FileResource[] | undefined): string | null {
  if (resources === undefined || resources.length === 0) return null;
  const paths = resources.map(({ mount_path }) => `- ${mount_path}`);
  return [
    'The user has given you these files. They are read-only: write changed versions to new paths.',
    ...paths,
    `Files that the user is to get belong in ${OUTPUTS}.`,
  ].join('\n');
}
