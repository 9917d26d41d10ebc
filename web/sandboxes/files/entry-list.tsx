import { Download, File, FileSymlink, Folder, Pencil, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatBytes } from '../../parts/format.ts';
import { Menu } from '../../parts/menu.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { toastError } from '../../parts/toast.ts';
import { When } from '../../parts/when.tsx';
import { type Entry, readContent } from './sandbox-files.ts';

interface EntryListProps {
  readonly sandbox: string;
  readonly entries: readonly Entry[];
  /** There are more than are listed. */
  readonly more: boolean;
  /** The file that is looked at. */
  readonly current: string | undefined;
  readonly actions: Readonly<Record<'open' | 'rename' | 'remove', (entry: Entry) => void>>;
}

const ICONS = { directory: Folder, file: File, symlink: FileSymlink, other: File } as const;

export function EntryList(props: EntryListProps): ReactElement {
  const { sandbox, entries, more, current, actions } = props;
  if (entries.length === 0) return <p className="quiet">The folder is empty.</p>;
  return (
    <>
      <ul className="plain entries" aria-label="Files">
        {entries.map((entry) => {
          const Icon = ICONS[entry.type];
          return (
            <li key={entry.encoded_path} className="folder-entry">
              <Icon size={15} aria-hidden />
              <button
                type="button"
                className="as-link"
                aria-label={entry.type === 'directory' ? `Folder ${entry.name}` : entry.name}
                aria-current={current === entry.encoded_path ? true : undefined}
                disabled={entry.type === 'other'}
                title={entry.target === null ? entry.path : `${entry.path} → ${entry.target}`}
                onClick={() => actions.open(entry)}
              >
                {entry.name}
                {entry.type === 'directory' ? '/' : ''}
              </button>
              <span className="quiet figures small">
                {entry.type === 'file' ? formatBytes(entry.size_bytes) : ''}
              </span>
              <span className="quiet small entry-time">
                <When at={entry.modified_at} />
              </span>
              <Menu
                label={`More about ${entry.name}`}
                items={[
                  ...(entry.type === 'file'
                    ? [
                        {
                          label: 'Download',
                          icon: Download,
                          run: () => void save(sandbox, entry).catch(toastError),
                        },
                      ]
                    : []),
                  { label: 'Rename…', icon: Pencil, run: () => actions.rename(entry) },
                  {
                    label: 'Delete…',
                    icon: Trash2,
                    tone: 'danger' as const,
                    run: () => actions.remove(entry),
                  },
                ]}
              />
            </li>
          );
        })}
      </ul>
      {more ? <p className="quiet">There are more. A shell lists them all.</p> : null}
    </>
  );
}

async function save(sandbox: string, { name, encoded_path }: Entry): Promise<void> {
  saveFile(name, await readContent(sandbox, encoded_path));
}
