import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Brain } from 'lucide-react';
import type { ReactElement } from 'react';
import { call } from '../client/api.ts';
import { follow, read } from '../client/queries.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { FilterBar, FilterChoice } from '../parts/filters.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { When } from '../parts/when.tsx';
import { ProviderCard } from './provider-card.tsx';

/** The official API's routes want to be told which version of it is meant. */
const VERSION = { 'anthropic-version': '2023-06-01' };

/** Where models' replies come from: how each provider is, how fast it answers, what it was asked, which models it serves. */
export function ModelsPage(): ReactElement {
  const { data, error, refetch } = useQuery(follow('GET /v1/providers', {}));
  // Upstreams are asked for their lists once, not every two seconds.
  const query = { limit: '1000' };
  const listed = useQuery({
    ...read('GET /v1/models', { query }),
    queryFn: ({ signal }) => call('GET /v1/models', { query, headers: VERSION, signal }),
    staleTime: 60_000,
  });
  const { provider: chosen } = useSearch({ from: '/models' });
  const navigate = useNavigate({ from: '/models' });
  const providers = data?.data;
  const shown = providers?.filter(({ name }) => chosen === undefined || name === chosen);
  return (
    <div className="models-page">
      <PageHeader
        title="Models"
        facts={
          data === undefined ? undefined : (
            <span>
              Counted by this server’s process since its start, <When at={data.since} />
            </span>
          )
        }
      />
      {providers === undefined || providers.length < 2 ? null : (
        <FilterBar label="Which providers">
          <FilterChoice
            label="Provider"
            value={chosen ?? ''}
            options={[
              { value: '', label: 'All' },
              ...providers.map(({ name }) => ({ value: name, label: name })),
            ]}
            onChange={(name) => void navigate({ search: name === '' ? {} : { provider: name } })}
          />
        </FilterBar>
      )}
      {providers === undefined && error !== null ? <ErrorState error={error} retry={refetch} /> : null}
      {providers === undefined && error === null ? <Loading rows={6} /> : null}
      {shown?.length === 0 ? (
        <EmptyState
          icon={Brain}
          title={chosen === undefined ? 'No provider' : `No provider is called ${chosen}`}
        >
          <p>Providers stand in the file that PROVIDERS names, or in providers.yaml.</p>
        </EmptyState>
      ) : null}
      {shown?.map((provider) => (
        <ProviderCard
          key={provider.name}
          provider={provider}
          providers={providers ?? []}
          listed={listed.data?.data ?? []}
        />
      ))}
    </div>
  );
}
