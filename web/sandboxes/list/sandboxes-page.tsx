import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Monitor, Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { follow, read } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { useCommands } from '../../parts/commands.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FilterBar, FilterChoice } from '../../parts/filters.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { Sandbox } from '../parts/sandbox-words.tsx';
import { SHOWN, type Shown } from '../sandbox-search.ts';
import { CreateDialog } from './create-dialog.tsx';
import { PoolMembers } from './pool-members.tsx';
import { SandboxCard } from './sandbox-card.tsx';

const LABELS = {
  all: 'All',
  running: 'Running',
  stopped: 'Stopped',
  failed: 'Failed',
} as const satisfies Record<Shown, string>;

function isShown({ status }: Sandbox, show: Shown): boolean {
  if (show === 'all' || status === show) return true;
  if (show === 'running') return status === 'starting' || status === 'waiting';
  return show === 'failed' && status === 'lost';
}

/** Shows all sandboxes with their newest pictures, newest first, and the machines that lend themselves for more. */
export function SandboxesPage(): ReactElement {
  const { show = 'all' } = useSearch({ from: '/sandboxes' });
  const navigate = useNavigate({ from: '/sandboxes' });
  const [making, setMaking] = useState(false);
  const { data, error, refetch } = useQuery(follow('GET /v1/sandboxes', {}));
  const members = useQuery(follow('GET /v1/sandbox_pool/members', {})).data?.data ?? [];
  const sessions = useQuery(read('GET /v1/sessions', { query: { limit: '200' } })).data?.data ?? [];
  const titles = new Map(sessions.map(({ id, title, agent }) => [id, title ?? agent.name]));
  const all = (data?.data ?? []).toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const listed = all.filter((sandbox) => isShown(sandbox, show));
  const create = (
    <Button tone="primary" onClick={() => setMaking(true)}>
      <Plus size={15} aria-hidden />
      New sandbox
    </Button>
  );
  useCommands([
    { id: 'new-sandbox', name: 'New sandbox', group: 'Sandboxes', icon: Plus, run: () => setMaking(true) },
  ]);
  return (
    <div className="sandboxes-page">
      <PageHeader title="Sandboxes" actions={create} />
      <FilterBar label="Which sandboxes">
        <FilterChoice
          label="Status"
          value={show}
          options={SHOWN.map((value) => ({
            value,
            label: LABELS[value],
            count: data === undefined ? undefined : all.filter((each) => isShown(each, value)).length,
          }))}
          onChange={(next) => void navigate({ search: next === 'all' ? {} : { show: next } })}
        />
      </FilterBar>
      {data === undefined ? (
        error === null ? (
          <Loading label="Sandboxes: loading" rows={6} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : listed.length === 0 ? (
        <NoSandboxes filtered={show !== 'all'} />
      ) : (
        <ul className="plain sandbox-grid" aria-label="Sandboxes">
          {listed.map((sandbox) => (
            <SandboxCard
              key={sandbox.id}
              sandbox={sandbox}
              title={titles.get(sandbox.session_id ?? '')}
              machine={members.find(({ sandbox_ids }) => sandbox_ids.includes(sandbox.id))?.address}
            />
          ))}
        </ul>
      )}
      <PoolMembers members={members} />
      {making ? <CreateDialog onClose={() => setMaking(false)} /> : null}
    </div>
  );
}

function NoSandboxes({ filtered }: { readonly filtered: boolean }): ReactElement {
  if (filtered) return <EmptyState icon={Monitor} title="No sandbox has this status" />;
  return (
    <EmptyState icon={Monitor} title="No sandbox yet">
      <p>
        A sandbox is one computer: a screen, programs and files. A session makes its own at its first tool
        use; one for direct use is made here or by the API.
      </p>
    </EmptyState>
  );
}
