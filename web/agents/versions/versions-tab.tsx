import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { Agent } from '../../client/api.ts';
import { read } from '../../client/queries.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { FilterChoice } from '../../parts/filters.tsx';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { When } from '../../parts/when.tsx';
import { DIFF_VIEWS } from '../agent-search.ts';
import { VersionDiff } from './version-diff.tsx';

/** How many versions are asked for at first; each further time as many more. */
const PAGE = 50;

/** The versions of an agent, and what any two of them differ in. */
export function VersionsTab({ agent }: { readonly agent: Agent }): ReactElement {
  const { id } = agent;
  const [most, setMost] = useState(PAGE);
  const query = { limit: String(most) };
  const { data, error, refetch } = useQuery(read('GET /v1/agents/{id}/versions', { params: { id }, query }));
  if (data === undefined)
    return error === null ? <Loading rows={4} /> : <ErrorState error={error} retry={refetch} />;
  return (
    <div className="versions">
      <ol className="plain version-list" aria-label="Versions">
        {data.data.map(({ version, updated_at, model }) => (
          <li key={version}>
            <Link
              to="/agents/$id"
              params={{ id }}
              search={version === agent.version ? {} : { version }}
              className="figures"
            >
              Version {version}
            </Link>
            <span className="quiet small">
              {model.id} · <When at={updated_at} />
            </span>
          </li>
        ))}
        {data.next_page === null ? null : (
          <li>
            <Button size="small" onClick={() => setMost(Math.min(most + PAGE, 1000))}>
              Earlier ones
            </Button>
          </li>
        )}
      </ol>
      {data.data.length < 2 ? (
        <p className="quiet">There is one version only. Each change makes another.</p>
      ) : (
        <Comparison versions={data.data} />
      )}
    </div>
  );
}

function Comparison({ versions }: { readonly versions: readonly Agent[] }): ReactElement {
  const { from, to, diff = 'unified' } = useSearch({ from: '/agents/$id' });
  const navigate = useNavigate({ from: '/agents/$id' });
  const newest = versions[0]?.version ?? 1;
  const chosen = { to: to ?? newest, from: from ?? Math.max(1, (to ?? newest) - 1) };
  const change = (part: { readonly from?: number; readonly to?: number }): void =>
    void navigate({ search: (search) => ({ ...search, ...chosen, ...part }), replace: true });
  const find = (number: number): Agent | undefined => versions.find(({ version }) => version === number);
  const [before, after] = [find(chosen.from), find(chosen.to)];
  const options = versions.map(({ version }) => ({ value: String(version), label: `Version ${version}` }));
  return (
    <section className="comparison" aria-label="Comparison">
      <div className="filter-bar">
        <SelectField
          label="From"
          value={String(chosen.from)}
          options={options}
          onChange={(version) => change({ from: Number(version) })}
        />
        <SelectField
          label="To"
          value={String(chosen.to)}
          options={options}
          onChange={(version) => change({ to: Number(version) })}
        />
        <FilterChoice
          label="Shown"
          value={diff}
          options={DIFF_VIEWS.map((value) => ({
            value,
            label: value === 'split' ? 'Side by side' : 'Unified',
          }))}
          onChange={(next) =>
            void navigate({
              search: (search) => ({ ...search, ...chosen, diff: next === 'split' ? next : undefined }),
              replace: true,
            })
          }
        />
      </div>
      {before === undefined || after === undefined ? (
        <p className="quiet">One of these versions is not among those that are shown.</p>
      ) : (
        <VersionDiff before={before} after={after} view={diff} />
      )}
    </section>
  );
}
