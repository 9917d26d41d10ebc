import type { ReactElement } from 'react';
import { FilterBar, FilterChoice, FilterSearch } from './filters.tsx';
import type { NamedListSearch } from './named-list.ts';

interface NamedListFiltersProps {
  /** What the list holds, e.g. `agents`. */
  readonly what: string;
  readonly search: NamedListSearch;
  readonly onChange: (search: NamedListSearch) => void;
}

/** Narrows a list of named things. A list that is narrowed otherwise begins at its first page. */
export function NamedListFilters({ what, search, onChange }: NamedListFiltersProps): ReactElement {
  const { search: sought, archived } = search;
  const kept = archived === undefined ? {} : { archived };
  return (
    <FilterBar label={`Which ${what}`}>
      <FilterSearch
        label="Name or id"
        placeholder="Name, or the beginning of an id"
        value={sought ?? ''}
        onSubmit={(text) => onChange(text.trim() === '' ? kept : { ...kept, search: text.trim() })}
      />
      <FilterChoice
        label="Archived"
        value={archived === undefined ? 'used' : 'all'}
        options={[
          { value: 'used', label: 'In use' },
          { value: 'all', label: 'With archived' },
        ]}
        onChange={(next) =>
          onChange({
            ...(sought === undefined ? {} : { search: sought }),
            ...(next === 'all' ? { archived: true as const } : {}),
          })
        }
      />
    </FilterBar>
  );
}
