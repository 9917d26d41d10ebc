import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Upload } from 'lucide-react';
import { type ChangeEvent, type ReactElement, useState } from 'react';
import { ask, call, type Session } from '../../client/api.ts';
import { follow, outdate } from '../../client/queries.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { formatBytes } from '../../parts/format.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { When } from '../../parts/when.tsx';
import { FilePreview, isShown } from './file-preview.tsx';
import { Recording } from './recording.tsx';

/** A field of this server that the SDK's type lacks: where the agent left the file. */
function pathOf(file: object): string | undefined {
  return 'path' in file && typeof file.path === 'string' ? file.path : undefined;
}

/** The files of a session: what was given to it, and what its agent left. */
export function FilesPanel({ session }: { readonly session: Session }): ReactElement {
  const { id } = session;
  const client = useQueryClient();
  const action = useAction();
  const [open, setOpen] = useState<string>();
  const files = useQuery(follow('GET /v1/files', { query: { scope_id: id, limit: '100' } }));
  const upload = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.target.files ?? [];
    event.target.value = '';
    if (file === undefined) return;
    action.run(async () => {
      const form = new FormData();
      form.set('file', file);
      const { id: file_id } = await call('POST /v1/files', { form });
      await call('POST /v1/sessions/{id}/resources', {
        params: { id },
        body: { type: 'file', file_id, mount_path: file.name },
      });
      await outdate(client, 'GET /v1/files');
    });
  };
  const download = (file: string, name: string): void =>
    action.run(async () =>
      saveFile(name, await (await ask('GET /v1/files/{id}/content', { params: { id: file } })).blob()),
    );
  const ended = session.status === 'terminated' || session.archived_at !== null;
  return (
    <div className="panel files-panel">
      <label className={ended || action.busy ? 'button off' : 'button'}>
        <Upload size={15} aria-hidden /> Give it a file
        <input type="file" className="hidden" disabled={ended || action.busy} onChange={upload} />
      </label>
      <Problem text={action.problem} />
      {files.isError ? <ErrorState error={files.error} /> : null}
      {files.isPending ? <Loading rows={3} /> : null}
      {files.data?.data.length === 0 ? <p className="quiet">There are no files yet.</p> : null}
      <ul className="plain" aria-label="Files">
        {files.data?.data.map((file) => (
          <li key={file.id}>
            <div className="file-line">
              <button
                type="button"
                className="as-link"
                aria-expanded={open === file.id}
                disabled={!isShown(file)}
                onClick={() => setOpen(open === file.id ? undefined : file.id)}
              >
                {pathOf(file) ?? file.filename}
              </button>
              <span className="quiet figures">
                {formatBytes(file.size_bytes)} · <When at={file.created_at} />
              </span>
              <IconButton
                icon={Download}
                label={`Download ${file.filename}`}
                size="small"
                onClick={() => download(file.id, file.filename)}
              />
            </div>
            {open === file.id ? <FilePreview file={file} /> : null}
          </li>
        ))}
      </ul>
      {session.sandbox_id === null ? null : <Recording sandbox={session.sandbox_id} />}
    </div>
  );
}
