import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Boxes, Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import { follow } from '../client/queries.ts';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { ListPages } from '../parts/list-pages.tsx';
import { namedListQuery } from '../parts/named-list.ts';
import { NamedListFilters } from '../parts/named-list-filters.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ENVIRONMENT_COLUMNS } from './environment-columns.tsx';

/** Shows the environments, the newest first. */
export function EnvironmentsPage(): ReactElement {
  const search = useSearch({ from: '/environments' });
  const navigate = useNavigate({ from: '/environments' });
  const { data, error, refetch } = useQuery(
    follow('GET /v1/environments', { query: namedListQuery(search) }),
  );
  return (
    <>
      <PageHeader
        title="Environments"
        actions={
          <Link to="/environments/new" className="button primary">
            <Plus size={15} aria-hidden />
            New environment
          </Link>
        }
      />
      <NamedListFilters
        what="environments"
        search={search}
        onChange={(next) => void navigate({ search: next })}
      />
      {error !== null && data === undefined ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          label="Environments"
          columns={ENVIRONMENT_COLUMNS}
          rows={data?.data}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/environments/${encodeURIComponent(id)}`}
          empty={<NoEnvironments sought={search.search} />}
        />
      )}
      <ListPages
        page={search.page}
        next={data?.next_page}
        onChange={(page) => void navigate({ search: { ...search, page } })}
      />
    </>
  );
}

function NoEnvironments({ sought }: { readonly sought: string | undefined }): ReactElement {
  if (sought !== undefined) return <EmptyState icon={Boxes} title={`No environment is called “${sought}”`} />;
  return (
    <EmptyState icon={Boxes} title="No environment yet">
      <p>
        An environment says what the sandboxes of sessions may reach and which packages they have. Sessions
        that name none have the server’s own, which is made with the first of them.
      </p>
      <Link to="/environments/new" className="button primary">
        New environment
      </Link>
    </EmptyState>
  );
}
