import { Link, useNavigate } from '@tanstack/react-router';
import type { KeyboardEvent, MouseEvent, ReactElement } from 'react';
import type { DataTableProps } from './data-table.tsx';
import { cellClass } from './table-head.tsx';

type RowProps<R> = DataTableProps<R> & {
  readonly id: string;
  readonly row: R;
  readonly index: number;
  /** Pixels from the top of the rows. */
  readonly offset: number;
  /** The row that Tab leads to. */
  readonly focusable: boolean;
  readonly onFocus: () => void;
};

export function TableRow<R>(props: RowProps<R>): ReactElement {
  const { id, row, index, offset, focusable, onFocus, columns, rowKey, rowLink, onOpen, selection, current } =
    props;
  const navigate = useNavigate();
  const key = rowKey(row);
  const selected = selection?.selected.has(key) === true;
  const link = rowLink?.(row);
  const open = (): void => {
    if (link !== undefined) void navigate({ to: link });
    else onOpen?.(row);
  };
  const click = (event: MouseEvent): void => {
    // What can be clicked inside the row does its own, and marked text is to be copied.
    const own = (event.target as Element).closest('a, button, input, label');
    const marked = window.getSelection()?.isCollapsed === false;
    if (own === null && !marked) open();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
    event.preventDefault();
    open();
  };
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={selection === undefined ? undefined : selected}
      aria-current={current === key ? true : undefined}
      data-row={index}
      tabIndex={focusable ? 0 : -1}
      className={link === undefined && onOpen === undefined ? 'table-row' : 'table-row opens'}
      style={{ transform: `translateY(${offset}px)` }}
      onClick={click}
      onKeyDown={onKey}
      onFocus={onFocus}
    >
      {selection === undefined ? null : (
        <div role="gridcell" className="cell">
          <input
            type="checkbox"
            aria-label="Select this row"
            tabIndex={-1}
            checked={selected}
            onChange={() => selection.onSelect(toggled(selection.selected, key))}
          />
        </div>
      )}
      {columns.map((column, at) => (
        <div key={column.id} role="gridcell" className={cellClass(column)}>
          {at === 0 && link !== undefined ? (
            <Link to={link} tabIndex={-1} className="row-link">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </div>
      ))}
    </div>
  );
}

export function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}
