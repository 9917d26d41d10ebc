import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import { follow } from '../client/queries.ts';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { ListPages } from '../parts/list-pages.tsx';
import { namedListQuery } from '../parts/named-list.ts';
import { NamedListFilters } from '../parts/named-list-filters.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { AGENT_COLUMNS } from './agent-columns.tsx';

/** Shows the agents, the newest first. */
export function AgentsPage(): ReactElement {
  const search = useSearch({ from: '/agents' });
  const navigate = useNavigate({ from: '/agents' });
  const { data, error, refetch } = useQuery(follow('GET /v1/agents', { query: namedListQuery(search) }));
  const isLost = error !== null && data === undefined;
  return (
    <>
      <PageHeader
        title="Agents"
        actions={
          <Link to="/agents/new" className="button primary">
            <Plus size={15} aria-hidden />
            New agent
          </Link>
        }
      />
      <NamedListFilters what="agents" search={search} onChange={(next) => void navigate({ search: next })} />
      {isLost ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          label="Agents"
          columns={AGENT_COLUMNS}
          rows={data?.data}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/agents/${encodeURIComponent(id)}`}
          empty={<NoAgents sought={search.search} />}
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

function NoAgents({ sought }: { readonly sought: string | undefined }): ReactElement {
  if (sought !== undefined) return <EmptyState icon={Bot} title={`No agent is called “${sought}”`} />;
  return (
    <EmptyState icon={Bot} title="No agent yet">
      <p>An agent is a model with instructions and tools. Sessions are made from it.</p>
      <Link to="/agents/new" className="button primary">
        New agent
      </Link>
    </EmptyState>
  );
}
