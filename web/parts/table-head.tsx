import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactElement } from 'react';
import type { DataTableProps } from './data-table.tsx';
import type { TableColumn } from './table-columns.ts';

type HeadProps<R> = DataTableProps<R> & { readonly rows: readonly R[] };

export function TableHead<R>({ columns, rows, rowKey, sort, onSort, selection }: HeadProps<R>): ReactElement {
  const all = selection !== undefined && rows.every((row) => selection.selected.has(rowKey(row)));
  const some = selection !== undefined && selection.selected.size > 0;
  return (
    <div role="rowgroup" className="table-head">
      <div role="row" aria-rowindex={1} className="table-row">
        {selection === undefined ? null : (
          <div role="columnheader" className="cell">
            <input
              type="checkbox"
              aria-label="Select all"
              checked={all}
              ref={(box) => {
                if (box !== null) box.indeterminate = some && !all;
              }}
              onChange={() => selection.onSelect(new Set(all ? [] : rows.map(rowKey)))}
            />
          </div>
        )}
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            className={cellClass(column)}
            aria-sort={sort?.column === column.id ? sort.direction : undefined}
          >
            {column.sortable !== true || onSort === undefined ? (
              column.title
            ) : (
              <button
                type="button"
                className="sort"
                onClick={() =>
                  onSort({
                    column: column.id,
                    direction:
                      sort?.column === column.id && sort.direction === 'descending'
                        ? 'ascending'
                        : 'descending',
                  })
                }
              >
                {column.title}
                {sort?.column !== column.id ? null : sort.direction === 'ascending' ? (
                  <ArrowUp size={13} aria-hidden />
                ) : (
                  <ArrowDown size={13} aria-hidden />
                )}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

export function cellClass<R>({ align, hideOn }: TableColumn<R>): string {
  return ['cell', align ?? '', hideOn === undefined ? '' : `hide-${hideOn}`].filter(Boolean).join(' ');
}
