import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { typeOfName } from '../../parts/file-preview/file-kind.ts';
import { FilePreview } from '../../parts/file-preview/file-preview.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { type Entry, readContent } from './sandbox-files.ts';

interface OpenFileProps {
  readonly sandbox: string;
  readonly entry: Entry;
  readonly onClose: () => void;
}

/** What is in a file of a sandbox, anew when it was changed. */
export function OpenFile({ sandbox, entry, onClose }: OpenFileProps): ReactElement {
  const { name, encoded_path, size_bytes, modified_at } = entry;
  return (
    <section className="card open-file" aria-label={name}>
      <div className="open-file-head">
        <strong>{name}</strong>
        <IconButton icon={X} size="small" label={`Close ${name}`} onClick={onClose} />
      </div>
      <FilePreview
        name={name}
        // A file without an ending that tells its type is a text more often than anything else.
        type={typeOfName(name) ?? (name.includes('.') ? 'application/octet-stream' : 'text/plain')}
        size={size_bytes}
        queryKey={['sandbox file', sandbox, encoded_path, modified_at, size_bytes]}
        load={(signal) => readContent(sandbox, encoded_path, signal)}
      />
    </section>
  );
}
