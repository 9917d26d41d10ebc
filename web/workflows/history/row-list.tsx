import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface RowListProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => number;
  /** The row that is open. */
  readonly open: number | undefined;
  readonly onToggle: (row: R) => void;
  /** The line of a row, which a click opens. */
  readonly line: (row: R) => ReactNode;
  readonly lineClass?: (row: R) => string;
  /** What stands below the line of the open row. */
  readonly body: (row: R) => ReactNode;
}

const LINE = 34;

/** Rows of which one may be open. Only those in view are on the page. The arrow keys go from line to line. */
export function RowList<R>(props: RowListProps<R>): ReactElement {
  const { label, rows, rowKey, open, onToggle, line, lineClass, body } = props;
  const box = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const top = box.current?.getBoundingClientRect().top ?? 0;
    setMargin(Math.round(top + window.scrollY));
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => LINE,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: 12,
    scrollMargin: margin,
  });
  useShownOnce(
    open,
    rows.findIndex((row) => rowKey(row) === open),
    (index) => virtual.scrollToIndex(index, { align: 'start' }),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const from = (event.target as HTMLElement).dataset['line'];
    if (step === undefined || from === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = Number(from) + step;
    virtual.scrollToIndex(Math.max(0, Math.min(rows.length - 1, next)), { align: 'auto' });
    box.current?.querySelector<HTMLElement>(`[data-line="${next}"]`)?.focus({ preventScroll: true });
  };
  return (
    <ul
      ref={box}
      className="plain row-list card"
      aria-label={label}
      style={{ height: virtual.getTotalSize() }}
      onKeyDown={onKeyDown}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const isOpen = rowKey(row) === open;
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            <button
              type="button"
              className={`row-line ${lineClass?.(row) ?? ''}`}
              data-line={index}
              aria-expanded={isOpen}
              onClick={() => onToggle(row)}
            >
              {line(row)}
            </button>
            {isOpen ? <div className="row-body">{body(row)}</div> : null}
          </li>
        );
      })}
    </ul>
  );
}

/** A row that a link opens is scrolled to once it is there; one that a click opens stays where it is. */
function useShownOnce(open: number | undefined, index: number, scrollTo: (index: number) => void): void {
  const first = useRef(open);
  useEffect(() => {
    if (first.current === undefined || index < 0) return;
    if (first.current === open && index > 8) scrollTo(index);
    first.current = undefined;
  });
}
