import { type ReactElement, type ReactNode, useId } from 'react';
import { type TableColumn, tracksOf } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { type Selection, useTableKeys } from './use-table-keys.ts';
import { useTableWindow } from './use-table-window.ts';
import { Loading } from './loading.tsx';

export interface Sort {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

export interface DataTableProps<R> {
  /** What the rows are, e.g. `Sessions`. */
  readonly label: string;
  readonly columns: readonly TableColumn<R>[];
  /** Undefined while the first answer is on its way. */
  readonly rows: readonly R[] | undefined;
  readonly rowKey: (row: R) => string;
  /** Where a row leads: its first cell is the link, Enter follows it, and a click anywhere in the row does. */
  readonly rowLink?: (row: R) => string;
  /** What a click or Enter does where rows lead nowhere. */
  readonly onOpen?: (row: R) => void;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly selection?: Selection;
  /** The row that something else on the page is about. */
  readonly current?: string | undefined;
  /** In place of the rows where there are none. */
  readonly empty: ReactNode;
}

/**
 * Rows with columns. Only the rows in view are on the page, so a hundred thousand are as quick as ten. The arrow keys, Home, End
 * and the page keys (also j and k) go from row to row, Enter opens, Space selects.
 */
export function DataTable<R>(props: DataTableProps<R>): ReactElement {
  const { label, columns, rows, rowKey, empty, selection } = props;
  const id = useId();
  const { box, window: shown, height, start, scrollTo } = useTableWindow(rows?.length ?? 0);
  const keys = useTableKeys({ id, rows: rows ?? [], rowKey, scrollTo, selection });
  if (rows === undefined) return <Loading label={`${label}: loading`} rows={6} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <div
      className="table"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={selection === undefined ? undefined : true}
      style={tracksOf(columns, selection !== undefined)}
      onKeyDown={keys.onKeyDown}
    >
      <TableHead {...props} rows={rows} />
      <div role="rowgroup" ref={box} className="table-rows" style={{ height }}>
        {shown.map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TableRow
              {...props}
              key={rowKey(row)}
              id={`${id}-${rowKey(row)}`}
              row={row}
              index={index}
              offset={start(index)}
              focusable={keys.focusable === rowKey(row)}
              onFocus={() => keys.setFocusable(rowKey(row))}
            />
          );
        })}
      </div>
    </div>
  );
}
