import { FileJson } from 'lucide-react';
import { type ChangeEvent, type ReactElement, useEffect, useRef, useState } from 'react';

interface FileDropProps {
  /** A file is open already: the place to drop another is a line. */
  readonly small: boolean;
  readonly onFile: (file: File) => void;
}

/** Takes a file: dropped anywhere on the page, or chosen. */
export function FileDrop({ small, onFile }: FileDropProps): ReactElement {
  const newest = useRef(onFile);
  newest.current = onFile;
  const [over, setOver] = useState(false);
  useEffect(() => {
    const dragging = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) newest.current(file);
    };
    window.addEventListener('dragover', dragging);
    window.addEventListener('dragleave', dragging);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', dragging);
      window.removeEventListener('dragleave', dragging);
      window.removeEventListener('drop', drop);
    };
  }, []);
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.target.files ?? [];
    if (file !== undefined) onFile(file);
    event.target.value = '';
  };
  return (
    <div className={`file-drop ${small ? 'small' : ''} ${over ? 'over' : ''}`}>
      {small ? null : <FileJson size={28} aria-hidden />}
      <p>
        {small ? 'Drop another file here, or' : 'Drop a history file on this page, or'}{' '}
        <label className="button small-button">
          choose one
          <input type="file" accept=".json,application/json" className="hidden" onChange={choose} />
        </label>
      </p>
      {small ? null : (
        <p className="quiet small">
          It is what <code>temporal workflow show --output json</code> writes, or a download from here. It
          does not leave this browser.
        </p>
      )}
    </div>
  );
}
