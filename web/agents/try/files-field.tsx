import { Upload, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatBytes } from '../../parts/format.ts';
import { IconButton } from '../../parts/icon-button.tsx';

interface FilesFieldProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Files that the agent is to have; they are uploaded when the session is started. */
export function FilesField({ files, onChange }: FilesFieldProps): ReactElement {
  return (
    <div className="field">
      <span className="field-name">Files</span>
      <ul className="plain given-files" aria-label="Files">
        {files.map((file, index) => (
          <li key={file.name}>
            <code>{file.name}</code> <span className="quiet small">{formatBytes(file.size)}</span>
            <IconButton
              icon={X}
              size="small"
              tone="subtle"
              label={`Take out ${file.name}`}
              onClick={() => onChange(files.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <div>
        <label className="button">
          <Upload size={15} aria-hidden />
          Add files
          <input
            type="file"
            multiple
            className="hidden"
            onChange={(event) => {
              const added = [...(event.target.files ?? [])];
              event.target.value = '';
              const names = new Set(added.map(({ name }) => name));
              onChange([...files.filter(({ name }) => !names.has(name)), ...added]);
            }}
          />
        </label>
      </div>
      <p className="hint">The agent finds them, read-only, in /mnt/session/uploads.</p>
    </div>
  );
}
