import { type ChangeEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';

interface FileDropProps {
  /** Before the button, e.g. `Drop files on this page, or`. */
  readonly text: string;
  /** What the button says. */
  readonly choose: string;
  /** As the `accept` of an input. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly disabled?: boolean;
  /** One line in place of a large field. */
  readonly small?: boolean;
  readonly icon?: ReactNode;
  /** Below it. */
  readonly children?: ReactNode;
  /** Never called with none; with one unless `multiple`. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files: dropped anywhere on the page, or chosen. One is on a page at a time. */
export function FileDrop(props: FileDropProps): ReactElement {
  const { text, choose, accept, multiple = false, disabled = false, small = false, icon, children } = props;
  const take = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])].slice(0, multiple ? undefined : 1);
    if (files.length > 0 && !disabled) props.onFiles(files);
  };
  const newest = useRef(take);
  newest.current = take;
  const [over, setOver] = useState(false);
  useEffect(() => {
    const dragging = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      newest.current(event.dataTransfer?.files);
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
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    take(target.files);
    target.value = '';
  };
  return (
    <div className={`file-drop ${small ? 'small' : ''} ${over ? 'over' : ''}`}>
      {small ? null : icon}
      <p>
        {text}{' '}
        <label className="button small-button">
          {choose}
          <input
            type="file"
            accept={accept}
            multiple={multiple}
            disabled={disabled}
            className="hidden"
            onChange={chosen}
          />
        </label>
      </p>
      {children}
    </div>
  );
}
