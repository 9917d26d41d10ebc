import type { ReactElement } from 'react';
import { FilterChip } from '../../parts/filters.tsx';
import { clausesOf, withoutClause } from '../query/clauses.ts';
import { STATUS_FIELD, statusIn } from '../query/status-clause.ts';

interface ClauseChipsProps {
  readonly query: string;
  readonly onChange: (query: string) => void;
}

/** The conditions of the query beside the status, each with a button that takes it away. */
export function ClauseChips({ query, onChange }: ClauseChipsProps): ReactElement {
  const isStatusShown = statusIn(query) !== undefined;
  const clauses = clausesOf(query).filter(({ field }) => !(isStatusShown && field === STATUS_FIELD));
  return (
    <>
      {clauses.map((clause) => (
        <FilterChip
          key={clause.text}
          name={clause.field === null ? 'Condition' : clause.field}
          onRemove={() => onChange(withoutClause(query, clause))}
        >
          <span className="clause">
            {clause.operator === '=' ? '' : `${clause.operator.toLowerCase().replaceAll('_', ' ')} `}
            {clause.value}
          </span>
        </FilterChip>
      ))}
    </>
  );
}
