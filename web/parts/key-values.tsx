import type { ReactElement, ReactNode } from 'react';

interface KeyValuesProps {
  /** Entries whose value is undefined are left out. */
  readonly entries: readonly (readonly [name: string, value: ReactNode])[];
  /** Accessible name of the list. */
  readonly label?: string;
}

/** Names and values, in columns where there is room. */
export function KeyValues({ entries, label }: KeyValuesProps): ReactElement {
  return (
    <dl className="key-values" aria-label={label}>
      {entries.map(([name, value]) =>
        value === undefined || value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
