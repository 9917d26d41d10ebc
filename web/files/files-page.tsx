import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Trash2, Upload } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { follow, outdate } from '../client/queries.ts';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/confirm.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { FileDrop } from '../parts/file-drop.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { toast } from '../parts/toast.ts';
import { UploadList } from '../parts/uploads/upload-list.tsx';
import { useUploads } from '../parts/uploads/use-uploads.ts';
import { deleteFiles, fileSender } from './file-actions.ts';
import { FILE_COLUMNS } from './file-columns.tsx';
import { FileFilters } from './file-filters.tsx';
import { FilePaging } from './file-paging.tsx';
import { isAskedFor } from './files-search.ts';
import { NoFiles } from './no-files.tsx';

/** How many files are listed at once. Names are sought among them. */
const LISTED = 500;

/** Shows all files, those of sessions and those of nobody, newest first; takes new ones. */
export function FilesPage(): ReactElement {
  const search = useSearch({ from: '/files' });
  const { session, after, text, kind } = search;
  const navigate = useNavigate({ from: '/files' });
  const client = useQueryClient();
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set());
  const { ask, dialog } = useConfirm();
  const { uploads, queue } = useUploads(fileSender(session), () => void outdate(client, 'GET /v1/files'));
  const query = {
    limit: String(LISTED),
    ...(session === undefined ? {} : { scope_id: session }),
    ...(after === undefined ? {} : { after_id: after }),
  };
  const { data, error, refetch } = useQuery(follow('GET /v1/files', { query }));
  const rows = data?.data.filter((file) => isAskedFor(file, search));
  const chosen = (rows ?? []).filter(({ id }) => selected.has(id));
  const [only] = chosen;

  const askToDelete = (): void =>
    ask({
      title: chosen.length === 1 ? `Delete “${only?.filename}”?` : `Delete ${chosen.length} files?`,
      text: 'What an agent has in its computer stays there. Here they are gone for good.',
      verb: 'Delete',
      act: async () => {
        await deleteFiles(
          client,
          chosen.map(({ id }) => id),
        );
        toast(chosen.length === 1 ? 'The file is deleted.' : `${chosen.length} files are deleted.`);
        onSelect(new Set());
      },
    });
  return (
    <div className="files-page">
      <PageHeader
        title="Files"
        actions={
          chosen.length === 0 ? undefined : (
            <Button tone="danger" onClick={askToDelete}>
              <Trash2 size={15} aria-hidden />
              Delete {chosen.length}
            </Button>
          )
        }
      />
      <FileDrop
        small
        multiple
        icon={<Upload size={28} aria-hidden />}
        text={session === undefined ? 'Drop files on this page, or' : 'Drop files for this session here, or'}
        choose="choose some"
        onFiles={(files) => queue.add(files)}
      />
      <UploadList uploads={uploads} queue={queue} />
      <FileFilters search={search} onSearch={(next) => void navigate({ search: next })} />
      {error !== null && data === undefined ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          label="Files"
          columns={FILE_COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/files/${encodeURIComponent(id)}`}
          selection={{ selected, onSelect }}
          empty={<NoFiles filtered={text !== undefined || kind !== undefined || session !== undefined} />}
        />
      )}
      <FilePaging
        search={search}
        older={data?.has_more === true ? (data.last_id ?? undefined) : undefined}
        filtered={text !== undefined || kind !== undefined}
      />
      {dialog}
    </div>
  );
}
