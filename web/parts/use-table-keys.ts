import { type KeyboardEvent, useState } from 'react';
import { toggled } from './table-row.tsx';

export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

interface TableKeysOptions<R> {
  readonly id: string;
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
  readonly scrollTo: (index: number) => void;
  readonly selection: Selection | undefined;
}

interface TableKeys {
  /** The key of the row that Tab leads to. */
  readonly focusable: string | undefined;
  readonly setFocusable: (key: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const PAGE = 12;

/** The keys of a table: one of its rows is in the tab order, and the arrow keys go to the others. */
export function useTableKeys<R>({ id, rows, rowKey, scrollTo, selection }: TableKeysOptions<R>): TableKeys {
  const [held, setHeld] = useState<string>();
  const place = held === undefined ? -1 : rows.findIndex((row) => rowKey(row) === held);
  const at = Math.max(0, place);
  const first = rows[at];
  const focusable = first === undefined ? undefined : rowKey(first);

  const goTo = (index: number): void => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (next === undefined) return;
    setHeld(rowKey(next));
    scrollTo(rows.indexOf(next));
    // The row may come on the page only now.
    requestAnimationFrame(() => {
      requestAnimationFrame(() =>
        document.getElementById(`${id}-${rowKey(next)}`)?.focus({ preventScroll: true }),
      );
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(event.target instanceof HTMLElement) || event.target.dataset['row'] === undefined) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: rows.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) goTo(next);
    else if (event.key === ' ' && selection !== undefined && focusable !== undefined) {
      selection.onSelect(toggled(selection.selected, focusable));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { focusable, setFocusable: setHeld, onKeyDown };
}
