import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Agent } from '../client/api.ts';
import { read } from '../client/queries.ts';
import { RequestFailedError } from '../client/request.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { SessionsOf } from '../sessions/sessions-of.tsx';
import { AboutTab } from './about/about-tab.tsx';
import { AgentHeader } from './agent-header.tsx';
import { VersionsTab } from './versions/versions-tab.tsx';

/** Shows one agent: what it is, its versions, and the sessions made from it. */
export function AgentPage(): ReactElement {
  const { id } = useParams({ from: '/agents/$id' });
  const { version } = useSearch({ from: '/agents/$id' });
  const newest = useQuery(read('GET /v1/agents/{id}', { params: { id } }));
  const older = useQuery({
    ...read('GET /v1/agents/{id}', { params: { id }, query: { version: String(version) } }),
    enabled: version !== undefined,
  });
  const { data, error, refetch } = version === undefined ? newest : older;
  if (data !== undefined && newest.data !== undefined) return <AgentView agent={data} newest={newest.data} />;
  return <Without error={error ?? newest.error} retry={refetch} />;
}

interface AgentViewProps {
  /** The version that the address names. */
  readonly agent: Agent;
  readonly newest: Agent;
}

function AgentView({ agent, newest }: AgentViewProps): ReactElement {
  const { tab = 'about' } = useSearch({ from: '/agents/$id' });
  const navigate = useNavigate({ from: '/agents/$id' });
  const { id } = agent;
  const isOld = agent.version !== newest.version;
  return (
    <div className="agent">
      <AgentHeader agent={agent} isOld={isOld} />
      {isOld ? (
        <p className="notice">
          This is an earlier version.{' '}
          <Link to="/agents/$id" params={{ id }}>
            To the newest, version {newest.version}
          </Link>
        </p>
      ) : null}
      <Tabs
        label="What is shown of the agent"
        tabs={[
          { value: 'about', label: 'About', content: () => <AboutTab agent={agent} /> },
          { value: 'versions', label: 'Versions', content: () => <VersionsTab agent={newest} /> },
          {
            value: 'sessions',
            label: 'Sessions',
            content: () => <SessionsOf query={{ agent_id: id }} empty={<NoSessions agent={newest} />} />,
          },
        ]}
        value={tab}
        onChange={(next) =>
          void navigate({
            search: (search) => ({ ...search, tab: next === 'about' ? undefined : next }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </div>
  );
}

function NoSessions({ agent: { id, archived_at } }: { readonly agent: Agent }): ReactElement {
  return (
    <EmptyState icon={Bot} title="No session was made from this agent">
      {archived_at === null ? (
        <Link to="/agents/$id/try" params={{ id }} className="button primary">
          Try it out
        </Link>
      ) : null}
    </EmptyState>
  );
}

/** While the agent is not there: because it is still coming, because it cannot be had, or because there is none. */
export function Without({
  error,
  retry,
}: {
  readonly error: Error | null;
  readonly retry: () => unknown;
}): ReactElement {
  const isGone = error instanceof RequestFailedError && error.status === 404;
  return (
    <>
      <PageHeader title="Agent" back={{ to: '/agents', label: 'Agents' }} />
      {error === null ? (
        <Loading rows={8} />
      ) : isGone ? (
        <EmptyState icon={Bot} title="There is no such agent">
          <p>{error.message}</p>
          <Link to="/agents">All agents</Link>
        </EmptyState>
      ) : (
        <ErrorState error={error} retry={retry} />
      )}
    </>
  );
}
