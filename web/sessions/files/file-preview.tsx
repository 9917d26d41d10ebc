import type { ReactElement } from 'react';
import { type ApiAnswer, ask } from '../../client/api.ts';
import { fileKind, isShown as isKindShown } from '../../parts/file-preview/file-kind.ts';
import { FilePreview as Preview } from '../../parts/file-preview/file-preview.tsx';

export type StoredFile = ApiAnswer<'GET /v1/files'>['data'][number];

/** Whether a file is shown here at all. */
export function isShown({ mime_type, size_bytes }: StoredFile): boolean {
  return isKindShown(fileKind(mime_type), size_bytes);
}

/** What is in a file. */
export function FilePreview({ file }: { readonly file: StoredFile }): ReactElement {
  const params = { id: file.id };
  return (
    <Preview
      name={file.filename}
      type={file.mime_type}
      size={file.size_bytes}
      queryKey={['GET /v1/files/{id}/content', params, null]}
      load={async (signal) => (await ask('GET /v1/files/{id}/content', { params, signal })).blob()}
    />
  );
}
