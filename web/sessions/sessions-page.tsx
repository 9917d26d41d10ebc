import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { MessagesSquare, Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { ask, type Session } from '../client/api.ts';
import { follow, outdate } from '../client/queries.ts';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/confirm.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { FilterBar, FilterChoice } from '../parts/filters.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { toast } from '../parts/toast.ts';
import { usePrices } from '../models/price.ts';
import { SHOWN, type Shown } from './list-search.ts';
import { sessionColumns } from './session-columns.tsx';

const LABELS = {
  all: 'All',
  running: 'Running',
  idle: 'Idle',
  terminated: 'Ended',
} as const satisfies Record<Shown, string>;

/** Shows all sessions with their states, newest first. */
export function SessionsPage(): ReactElement {
  const { show = 'all', page } = useSearch({ from: '/sessions' });
  const navigate = useNavigate({ from: '/sessions' });
  const client = useQueryClient();
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set());
  const { ask: confirm, dialog } = useConfirm();
  const priceOf = usePrices();
  const query = {
    limit: '50',
    ...(show === 'all' ? {} : { statuses: show }),
    ...(page === undefined ? {} : { page }),
  };
  const { data, error, refetch } = useQuery(follow('GET /v1/sessions', { query }));
  const chosen = (data?.data ?? []).filter(({ id }) => selected.has(id));

  const remove = async (): Promise<void> => {
    for (const { id } of chosen) await ask('DELETE /v1/sessions/{id}', { params: { id } });
    toast(chosen.length === 1 ? 'The session is deleted.' : `${chosen.length} sessions are deleted.`);
    onSelect(new Set());
    await outdate(client, 'GET /v1/sessions');
  };
  const askToRemove = (): void =>
    confirm({
      title: chosen.length === 1 ? `Delete “${nameOf(chosen[0])}”?` : `Delete ${chosen.length} sessions?`,
      text: 'Their events and their sandboxes go, too. This cannot be undone.',
      verb: 'Delete',
      act: remove,
    });

  return (
    <>
      <PageHeader
        title="Sessions"
        actions={
          chosen.length === 0 ? undefined : (
            <Button tone="danger" onClick={askToRemove}>
              <Trash2 size={15} aria-hidden />
              Delete {chosen.length}
            </Button>
          )
        }
      />
      <FilterBar label="Which sessions">
        <FilterChoice
          label="Status"
          value={show}
          options={SHOWN.map((value) => ({ value, label: LABELS[value] }))}
          onChange={(next) => void navigate({ search: next === 'all' ? {} : { show: next } })}
        />
      </FilterBar>
      {error === null || data !== undefined ? null : <ErrorState error={error} retry={refetch} />}
      {error !== null && data === undefined ? null : (
        <DataTable
          label="Sessions"
          columns={sessionColumns(data?.data ?? [], priceOf)}
          rows={data?.data}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/sessions/${encodeURIComponent(id)}`}
          selection={{ selected, onSelect }}
          empty={<NoSessions filtered={show !== 'all'} />}
        />
      )}
      <Paging older={data?.next_page ?? undefined} newer={data?.prev_page ?? undefined} />
      {dialog}
    </>
  );
}

function nameOf(session: Session | undefined): string {
  return session?.title ?? session?.id ?? '';
}

interface PagingProps {
  readonly older: string | undefined;
  readonly newer: string | undefined;
}

function Paging({ older, newer }: PagingProps): ReactElement | null {
  if (older === undefined && newer === undefined) return null;
  return (
    <nav className="paging" aria-label="Pages">
      {newer === undefined ? null : (
        <Link from="/sessions" search={(search) => ({ ...search, page: newer })} className="button">
          Newer
        </Link>
      )}
      {older === undefined ? null : (
        <Link from="/sessions" search={(search) => ({ ...search, page: older })} className="button">
          Older
        </Link>
      )}
    </nav>
  );
}

function NoSessions({ filtered }: { readonly filtered: boolean }): ReactElement {
  if (filtered) return <EmptyState icon={MessagesSquare} title="No session has this status" />;
  return (
    <EmptyState icon={MessagesSquare} title="No session yet">
      <p>A session is an agent at work. The start page has five to try, without a key or a network.</p>
      <Link to="/" className="button primary">
        To the start page
      </Link>
    </EmptyState>
  );
}
