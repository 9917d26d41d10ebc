import type { QueryClient } from '@tanstack/react-query';
import { type ApiAnswer, ask, call } from '../client/api.ts';
import { outdate } from '../client/queries.ts';
import { upload } from '../client/upload.ts';
import { saveFile } from '../parts/save-file.ts';
import type { SendFile } from '../parts/uploads/upload-queue.ts';

export type StoredFile = ApiAnswer<'GET /v1/files'>['data'][number];

/** Where a session's agent left the file: a field of this server that the SDK's type lacks. */
export function pathOf(file: StoredFile): string | undefined {
  return 'path' in file && typeof file.path === 'string' ? file.path : undefined;
}

export async function downloadFile({ id, filename }: Pick<StoredFile, 'id' | 'filename'>): Promise<void> {
  const answer = await ask('GET /v1/files/{id}/content', { params: { id } });
  saveFile(filename, await answer.blob());
}

export async function deleteFiles(client: QueryClient, ids: readonly string[]): Promise<void> {
  try {
    for (const id of ids) await call('DELETE /v1/files/{id}', { params: { id } });
  } finally {
    await outdate(client, 'GET /v1/files');
  }
}

/** Sends a file; without a session it belongs to nobody, with one its agent gets it under the same name. */
export function fileSender(session: string | undefined): SendFile {
  return async (file, on) => {
    const form = new FormData();
    form.set('file', file);
    const { id: file_id } = await upload('POST /v1/files', {}, form, on);
    if (session === undefined) return;
    await call('POST /v1/sessions/{id}/resources', {
      params: { id: session },
      body: { type: 'file', file_id, mount_path: file.name },
    });
  };
}
