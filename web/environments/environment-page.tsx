import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import type { ReactElement } from 'react';
import { read } from '../client/queries.ts';
import { RequestFailedError } from '../client/request.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { SessionsOf } from '../sessions/sessions-of.tsx';
import { EnvironmentAbout } from './environment-about.tsx';
import { EnvironmentHeader } from './environment-header.tsx';

/** Shows one environment: what its sandboxes have and may reach, and the sessions that use it. */
export function EnvironmentPage(): ReactElement {
  const { id } = useParams({ from: '/environments/$id' });
  const { tab = 'about' } = useSearch({ from: '/environments/$id' });
  const navigate = useNavigate({ from: '/environments/$id' });
  const { data, error, refetch } = useQuery(read('GET /v1/environments/{id}', { params: { id } }));
  if (data === undefined) return <WithoutEnvironment error={error} retry={refetch} />;
  return (
    <div className="environment">
      <EnvironmentHeader environment={data} />
      <Tabs
        label="What is shown of the environment"
        tabs={[
          { value: 'about', label: 'About', content: () => <EnvironmentAbout environment={data} /> },
          {
            value: 'sessions',
            label: 'Sessions',
            content: () => (
              <SessionsOf
                query={{ environment_id: id }}
                empty={<EmptyState icon={Boxes} title="No session uses this environment" />}
              />
            ),
          },
        ]}
        value={tab}
        onChange={(next) =>
          void navigate({
            search: next === 'sessions' ? { tab: next } : {},
            replace: true,
            resetScroll: false,
          })
        }
      />
    </div>
  );
}

/** While the environment is not there: because it is still coming, because it cannot be had, or because there is none. */
export function WithoutEnvironment({
  error,
  retry,
}: {
  readonly error: Error | null;
  readonly retry: () => unknown;
}): ReactElement {
  const isGone = error instanceof RequestFailedError && error.status === 404;
  return (
    <>
      <PageHeader title="Environment" back={{ to: '/environments', label: 'Environments' }} />
      {error === null ? (
        <Loading rows={6} />
      ) : isGone ? (
        <EmptyState icon={Boxes} title="There is no such environment">
          <p>{error.message}</p>
          <Link to="/environments">All environments</Link>
        </EmptyState>
      ) : (
        <ErrorState error={error} retry={retry} />
      )}
    </>
  );
}
