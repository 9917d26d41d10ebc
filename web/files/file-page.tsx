import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Download, Files, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { read } from '../client/queries.ts';
import { RequestFailedError } from '../client/request.ts';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/confirm.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { formatBytes } from '../parts/format.ts';
import { KeyValues } from '../parts/key-values.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Problem } from '../parts/problem.tsx';
import { useAction } from '../parts/use-action.ts';
import { When } from '../parts/when.tsx';
import { FilePreview } from '../sessions/files/file-preview.tsx';
import { deleteFiles, downloadFile, pathOf, type StoredFile } from './file-actions.ts';

const BACK = { to: '/files', label: 'Files' };

/** Shows one file: whose it is, and what is in it. */
export function FilePage(): ReactElement {
  const { id } = useParams({ from: '/files/$id' });
  const { data, error, refetch } = useQuery(read('GET /v1/files/{id}', { params: { id } }));
  if (data !== undefined) return <FileView key={id} file={data} />;
  const isGone = error instanceof RequestFailedError && error.status === 404;
  return (
    <>
      <PageHeader title={id} back={BACK} />
      {error === null ? (
        <Loading rows={5} />
      ) : isGone ? (
        <EmptyState icon={Files} title="There is no such file">
          <p>It may have been deleted, or have gone with its session.</p>
        </EmptyState>
      ) : (
        <ErrorState error={error} retry={refetch} />
      )}
    </>
  );
}

function FileView({ file }: { readonly file: StoredFile }): ReactElement {
  const { id, filename, mime_type, size_bytes, created_at, expires_at, scope } = file;
  const path = pathOf(file);
  const client = useQueryClient();
  const navigate = useNavigate();
  const action = useAction();
  const { ask, dialog } = useConfirm();
  const remove = (): void =>
    ask({
      title: `Delete “${filename}”?`,
      text: 'What an agent has in its computer stays there. Here it is gone for good.',
      verb: 'Delete',
      act: async () => {
        await deleteFiles(client, [id]);
        await navigate({ to: '/files' });
      },
    });
  return (
    <div className="file-page">
      <PageHeader
        title={filename}
        back={BACK}
        facts={<CopyableId id={id} />}
        actions={
          <>
            <Button busy={action.busy} onClick={() => action.run(() => downloadFile(file))}>
              <Download size={15} aria-hidden />
              Download
            </Button>
            <Button tone="danger" onClick={remove}>
              <Trash2 size={15} aria-hidden />
              Delete
            </Button>
          </>
        }
      />
      <Problem text={action.problem} />
      <KeyValues
        label="About the file"
        entries={[
          ['Type', mime_type],
          ['Size', formatBytes(size_bytes)],
          ['Made', <When key="made" at={created_at} as="exact" />],
          ['Expires', expires_at == null ? undefined : <When key="end" at={expires_at} as="exact" />],
          [
            'Session',
            scope == null ? (
              'none'
            ) : (
              <Link to="/sessions/$id" params={{ id: scope.id }} search={{ view: 'files' }}>
                {scope.id}
              </Link>
            ),
          ],
          ['Where its agent left it', path === undefined ? undefined : <code key="path">{path}</code>],
        ]}
      />
      <section className="card file-content" aria-label="Content">
        <FilePreview file={file} />
      </section>
      {dialog}
    </div>
  );
}
