import { type ApiAnswer, addressOf } from '../../client/api.ts';
import { request } from '../../client/request.ts';
import { uploadTo } from '../../client/upload.ts';
import type { SendFile } from '../../parts/uploads/upload-queue.ts';

/** Where agents work. */
export const HOME = '/home/agent';

/** One entry of a folder. Its `encoded_path` names it in addresses, whatever its bytes are. */
export type Entry = ApiAnswer<'GET /v1/sandboxes/{id}/files'>['data'][number];
type Listing = ApiAnswer<'GET /v1/sandboxes/{id}/files'>;

type FileRoute =
  | 'GET /v1/sandboxes/{id}/files'
  | 'DELETE /v1/sandboxes/{id}/files'
  | 'GET /v1/sandboxes/{id}/files/content'
  | 'PUT /v1/sandboxes/{id}/files/content'
  | 'POST /v1/sandboxes/{id}/files/folder'
  | 'POST /v1/sandboxes/{id}/files/move';

/** The address of a file's route. The path is percent-encoded already, so it is not encoded again. */
function fileAddress(route: FileRoute, sandbox: string, path: string, more = ''): string {
  return `${addressOf(route, { params: { id: sandbox } })}?path=${path}${more}`;
}

/** Percent-encodes a path that somebody typed, or a name. */
export function encoded(text: string): string {
  return text.split('/').map(encodeURIComponent).join('/');
}

/** A path as people read it; bytes that are no UTF-8 stay percent-encoded. */
export function shown(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function inside(folder: string, name: string): string {
  return `${folder === '/' ? '' : folder}/${name}`;
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** A folder's entries, folders first. At most a thousand; `more` says that there are others. */
export async function listFolder(
  sandbox: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Entry[]; readonly more: boolean }> {
  const address = fileAddress('GET /v1/sandboxes/{id}/files', sandbox, folder);
  const { data, next_page } = (await (await request(address, { signal })).json()) as Listing;
  const rank = ({ type }: Entry): number => (type === 'directory' ? 0 : 1);
  return {
    entries: data.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)),
    more: next_page !== null,
  };
}

export async function readContent(sandbox: string, path: string, signal?: AbortSignal): Promise<Blob> {
  const address = fileAddress('GET /v1/sandboxes/{id}/files/content', sandbox, path);
  return (await request(address, signal === undefined ? {} : { signal })).blob();
}

export async function removeEntry(sandbox: string, path: string): Promise<void> {
  const address = fileAddress('DELETE /v1/sandboxes/{id}/files', sandbox, path, '&recursive=true');
  await request(address, { method: 'DELETE' });
}

export async function makeFolder(sandbox: string, path: string): Promise<void> {
  await request(fileAddress('POST /v1/sandboxes/{id}/files/folder', sandbox, path), { method: 'POST' });
}

export async function moveEntry(sandbox: string, path: string, to: string): Promise<void> {
  const address = fileAddress('POST /v1/sandboxes/{id}/files/move', sandbox, path, `&to=${to}`);
  await request(address, { method: 'POST' });
}

/** Sends files into a folder of a sandbox. */
export function folderSender(sandbox: string, folder: string): SendFile {
  return (file, on) => {
    const path = inside(folder, encodeURIComponent(file.name));
    return uploadTo('PUT', fileAddress('PUT /v1/sandboxes/{id}/files/content', sandbox, path), file, on);
  };
}
