import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FolderPlus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { useConfirm } from '../../parts/confirm.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { Loading } from '../../parts/loading.tsx';
import { UploadList } from '../../parts/uploads/upload-list.tsx';
import { useUploads } from '../../parts/uploads/use-uploads.ts';
import { Crumbs } from './crumbs.tsx';
import { EntryList } from './entry-list.tsx';
import { NameDialog, type Naming } from './name-dialog.tsx';
import { OpenFile } from './open-file.tsx';
import {
  encoded,
  type Entry,
  folderOf,
  folderSender,
  HOME,
  inside,
  listFolder,
  makeFolder,
  moveEntry,
  removeEntry,
} from './sandbox-files.ts';

/** How often a folder that is looked at is listed anew, in milliseconds. */
const EVERY_MS = 3000;

/** Walks through the files of a sandbox, with the rights of its agent. */
export function FolderPanel({ sandbox }: { readonly sandbox: string }): ReactElement {
  const { folder = HOME, file } = useSearch({ from: '/sandboxes/$id' });
  const navigate = useNavigate({ from: '/sandboxes/$id' });
  const client = useQueryClient();
  const { ask, dialog } = useConfirm();
  const [naming, setNaming] = useState<Naming>();
  const queryKey = ['GET /v1/sandboxes/{id}/files', { id: sandbox }, folder];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listFolder(sandbox, folder, signal),
    refetchInterval: EVERY_MS,
  });
  const changed = (): Promise<void> => client.invalidateQueries({ queryKey });
  const { uploads, queue } = useUploads(folderSender(sandbox, folder), () => void changed());
  const show = (search: { folder?: string; file?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...search }), resetScroll: false });
  const open = (entry: Entry): void =>
    show(
      entry.type === 'directory'
        ? { folder: entry.encoded_path, file: undefined }
        : { file: entry.encoded_path },
    );
  const remove = (entry: Entry): void =>
    ask({
      title: `Delete “${entry.name}”?`,
      text: entry.type === 'directory' ? 'Everything in it goes, too.' : 'This cannot be undone.',
      verb: 'Delete',
      act: async () => {
        await removeEntry(sandbox, entry.encoded_path);
        if (file === entry.encoded_path) show({ file: undefined });
        await changed();
      },
    });
  const rename = ({ name, encoded_path }: Entry): void =>
    setNaming({
      title: `Rename “${name}”`,
      name,
      verb: 'Rename',
      act: async (next) => {
        await moveEntry(sandbox, encoded_path, inside(folderOf(encoded_path), encoded(next)));
        await changed();
      },
    });
  const add = (): void =>
    setNaming({
      title: 'New folder',
      name: '',
      verb: 'Make it',
      act: async (name) => {
        await makeFolder(sandbox, inside(folder, encoded(name)));
        await changed();
      },
    });
  const looked = data?.entries.find(({ encoded_path }) => encoded_path === file);
  return (
    <div className="folder-panel">
      <div className="folder-head">
        <Crumbs folder={folder} onOpen={(next) => show({ folder: next, file: undefined })} />
        <Button size="small" onClick={add}>
          <FolderPlus size={14} aria-hidden />
          New folder
        </Button>
      </div>
      {error !== null && data === undefined ? <ErrorState error={error} retry={refetch} /> : null}
      {data === undefined && error === null ? <Loading rows={5} /> : null}
      {data === undefined ? null : (
        <EntryList
          sandbox={sandbox}
          entries={data.entries}
          more={data.more}
          current={file}
          actions={{ open, rename, remove }}
        />
      )}
      {looked === undefined ? null : (
        <OpenFile sandbox={sandbox} entry={looked} onClose={() => show({ file: undefined })} />
      )}
      <FileDrop
        small
        multiple
        text="Drop files here, or"
        choose="choose some"
        onFiles={(files) => queue.add(files)}
      />
      <UploadList uploads={uploads} queue={queue} />
      {naming === undefined ? null : (
        <NameDialog key={naming.title} naming={naming} onClose={() => setNaming(undefined)} />
      )}
      {dialog}
    </div>
  );
}
