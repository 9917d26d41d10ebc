import { call } from './api.ts';

/** Uploads files and answers what mounts them in a session, each under its own name. */
export function uploadResources(
  files: readonly File[],
): Promise<{ type: 'file'; file_id: string; mount_path: string }[]> {
  return Promise.all(
    files.map(async (file) => {
      const form = new FormData();
      form.set('file', file);
      const { id } = await call('POST /v1/files', { form });
      return { type: 'file', file_id: id, mount_path: file.name } as const;
    }),
  );
}
