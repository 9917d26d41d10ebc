import type { CSSProperties, ReactNode } from 'react';

export interface TableColumn<R> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: R) => ReactNode;
  /** A track of CSS grid, e.g. `120px` or `minmax(0, 2fr)`; an equal share unless given. */
  readonly width?: string;
  readonly align?: 'end';
  readonly sortable?: boolean;
  /** Left out where the table is narrow (`phone`: below 620 pixels, `tablet`: below 980). */
  readonly hideOn?: 'phone' | 'tablet';
}

/** The tracks of the rows' grid for each width, as the style sheet takes them. */
export function tracksOf<R>(columns: readonly TableColumn<R>[], selects: boolean): CSSProperties {
  const tracks = (hidden: readonly TableColumn<R>['hideOn'][]): string =>
    [
      ...(selects ? ['20px'] : []),
      ...columns
        .filter(({ hideOn }) => hideOn === undefined || !hidden.includes(hideOn))
        .map(({ width }) => width ?? 'minmax(0, 1fr)'),
    ].join(' ');
  return {
    '--wide-columns': tracks([]),
    '--tablet-columns': tracks(['tablet']),
    '--phone-columns': tracks(['tablet', 'phone']),
  };
}
