import type { ReactElement } from 'react';
import type { Session } from '../client/api.ts';
import { CopyableId } from '../parts/copyable.tsx';
import { formatCount } from '../parts/format.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { SessionMenu } from './export/session-menu.tsx';
import { SessionStatus } from './session-status.tsx';
import type { useSession } from './use-session.ts';

/** The top of a session's page: what it is, how it stands, and what it used so far. */
export function SessionHeader(followed: ReturnType<typeof useSession>): ReactElement {
  const { session, state, events, complete, refresh } = followed;
  return (
    <PageHeader
      title={session?.title ?? session?.agent.name ?? 'Session'}
      back={{ to: '/sessions', label: 'Sessions' }}
      status={
        <div role="status" aria-live="polite" className="status">
          {session === undefined ? null : <SessionStatus session={session} state={state} />}
        </div>
      }
      facts={session === undefined ? undefined : <Facts session={session} />}
      actions={
        session === undefined ? undefined : (
          <SessionMenu session={session} events={events} complete={complete} onChange={refresh} />
        )
      }
    />
  );
}

function Facts({ session }: { readonly session: Session }): ReactElement {
  const { id, agent, usage, sandbox_id, archived_at } = session;
  return (
    <>
      <CopyableId id={id} />
      <span>{agent.model.id}</span>
      <span>
        {formatCount(usage.input_tokens ?? 0)} tokens in, {formatCount(usage.output_tokens ?? 0)} out
      </span>
      {sandbox_id === null ? null : <CopyableId id={sandbox_id} />}
      {archived_at === null ? null : <span>archived</span>}
    </>
  );
}
