import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { CopyableId } from '../parts/copyable.tsx';
import { formatBytes } from '../parts/format.ts';
import { IconButton } from '../parts/icon-button.tsx';
import type { TableColumn } from '../parts/table-columns.ts';
import { toastError } from '../parts/toast.ts';
import { When } from '../parts/when.tsx';
import { downloadFile, pathOf, type StoredFile } from './file-actions.ts';

export const FILE_COLUMNS: readonly TableColumn<StoredFile>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(0, 2.4fr)',
    cell: (file) => <span title={pathOf(file)}>{file.filename}</span>,
  },
  { id: 'type', title: 'Type', hideOn: 'tablet', cell: ({ mime_type }) => mime_type },
  {
    id: 'size',
    title: 'Size',
    width: '80px',
    align: 'end',
    cell: ({ size_bytes }) => <span className="figures">{formatBytes(size_bytes)}</span>,
  },
  {
    id: 'session',
    title: 'Session',
    width: '150px',
    hideOn: 'phone',
    cell: ({ scope }) =>
      scope == null ? (
        <span className="quiet">none</span>
      ) : (
        <Link to="/sessions/$id" params={{ id: scope.id }} title={scope.id}>
          …{scope.id.slice(-10)}
        </Link>
      ),
  },
  { id: 'id', title: 'Id', width: '150px', hideOn: 'tablet', cell: ({ id }) => <CopyableId id={id} short /> },
  {
    id: 'created',
    title: 'Made',
    width: '92px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ created_at }) => <When at={created_at} />,
  },
  {
    id: 'download',
    title: 'Get',
    width: '44px',
    cell: (file) => (
      <IconButton
        icon={Download}
        size="small"
        tabIndex={-1}
        label={`Download ${file.filename}`}
        onClick={() => void downloadFile(file).catch(toastError)}
      />
    ),
  },
];
