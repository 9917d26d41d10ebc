import { FileJson } from 'lucide-react';
import type { ReactElement } from 'react';
import { FileDrop } from '../../parts/file-drop.tsx';

interface HistoryDropProps {
  /** A file is open already: the place to drop another is a line. */
  readonly small: boolean;
  readonly onFile: (file: File) => void;
}

/** Takes a history file: dropped anywhere on the page, or chosen. */
export function HistoryDrop({ small, onFile }: HistoryDropProps): ReactElement {
  return (
    <FileDrop
      small={small}
      icon={<FileJson size={28} aria-hidden />}
      text={small ? 'Drop another file here, or' : 'Drop a history file on this page, or'}
      choose="choose one"
      accept=".json,application/json"
      onFiles={([file]) => (file === undefined ? undefined : onFile(file))}
    >
      {small ? null : (
        <p className="quiet small">
          It is what <code>temporal workflow show --output json</code> writes, or a download from here. It
          does not leave this browser.
        </p>
      )}
    </FileDrop>
  );
}
