import type { ReactElement } from 'react';
import { FilterBar, FilterChip, FilterChoice, FilterSearch } from '../parts/filters.tsx';
import { type FilesSearch, filesSearch, type Kind, KINDS } from './files-search.ts';

const LABELS = {
  all: 'All',
  picture: 'Pictures',
  text: 'Texts',
  json: 'JSON',
  pdf: 'PDF',
  other: 'Others',
} as const satisfies Record<Kind, string>;

interface FileFiltersProps {
  readonly search: FilesSearch;
  readonly onSearch: (search: FilesSearch) => void;
}

export function FileFilters({ search, onSearch }: FileFiltersProps): ReactElement {
  const set = (change: Record<string, unknown>): void =>
    onSearch(filesSearch({ ...search, after: undefined, ...change }));
  return (
    <FilterBar label="Which files">
      <FilterSearch
        label="Name or id; an id of a session finds its files"
        placeholder="Name, id, or a session’s id"
        value={search.text ?? ''}
        onSubmit={(text) =>
          set(
            /^sesn_\w+$/.test(text.trim())
              ? { session: text.trim(), text: undefined }
              : { text: text.trim() },
          )
        }
      />
      <FilterChoice
        label="Kind"
        value={search.kind ?? 'all'}
        options={KINDS.map((value) => ({ value, label: LABELS[value] }))}
        onChange={(kind) => set({ kind })}
      />
      {search.session === undefined ? null : (
        <FilterChip name="Session" onRemove={() => set({ session: undefined })}>
          <code>…{search.session.slice(-10)}</code>
        </FilterChip>
      )}
    </FilterBar>
  );
}
