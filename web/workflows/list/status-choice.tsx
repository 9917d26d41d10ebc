import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { follow } from '../../client/queries.ts';
import { FilterChoice } from '../../parts/filters.tsx';
import { formatName } from '../../parts/format.ts';
import { type Status, STATUS_WORDS, statusIn, withStatus } from '../query/status-clause.ts';

interface StatusChoiceProps {
  readonly query: string;
  readonly onChange: (query: string) => void;
}

const STATUSES = Object.keys(STATUS_WORDS) as Status[];

/** How many have which status among those that the rest of the query finds; a click asks for one status. */
export function StatusChoice({ query, onChange }: StatusChoiceProps): ReactElement {
  const rest = withStatus(query, 'all');
  const { data } = useQuery(follow('GET /v1/workflow_count', { query: rest === '' ? {} : { query: rest } }));
  const chosen = statusIn(query);
  const counts = data?.by_status ?? {};
  const there = STATUSES.filter(
    (status) => ['running', 'completed', 'failed'].includes(status) || counts[status] || status === chosen,
  );
  return (
    <FilterChoice<Status | 'all' | ''>
      label="Status"
      value={chosen ?? ''}
      options={[
        { value: 'all', label: 'All', count: data?.count },
        ...there.map((value) => ({
          value,
          label: formatName(value),
          count: data === undefined ? undefined : (counts[value] ?? 0),
        })),
      ]}
      onChange={(status) => onChange(withStatus(query, status === '' ? 'all' : status))}
    />
  );
}
