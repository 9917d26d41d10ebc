import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { follow } from '../client/queries.ts';
import { ErrorState } from '../parts/error-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { standingOf } from '../sessions/session-status.tsx';
import { Demos } from './demos.tsx';
import { HealthLine } from './health-line.tsx';
import { SessionGroup } from './session-group.tsx';

/** What runs, what waits for a person and what failed; and something to start for who has nothing yet. */
export function StartPage(): ReactElement {
  const { data, error, refetch } = useQuery(follow('GET /v1/sessions', { query: { limit: '100' } }));
  const sessions = data?.data;
  return (
    <>
      <PageHeader
        title="Steadyhand"
        heading={sessions?.length === 0 ? 'Welcome to Steadyhand' : 'Start'}
        facts={<HealthLine />}
      />
      {sessions === undefined ? (
        error === null ? (
          <Loading rows={6} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : null}
      {sessions === undefined || sessions.length === 0 ? null : (
        <>
          <div className="standings">
            <SessionGroup
              title="Waits for you"
              none="Nobody waits for an answer."
              sessions={sessions.filter((session) => standingOf(session) === 'waiting')}
            />
            <SessionGroup
              title="Runs"
              none="Nothing runs."
              sessions={sessions.filter((session) => standingOf(session) === 'running')}
            />
            <SessionGroup
              title="Failed"
              none="Nothing failed."
              sessions={sessions.filter((session) => standingOf(session) === 'failed')}
            />
          </div>
          <p className="all-sessions">
            <Link to="/sessions">All sessions</Link>
          </p>
        </>
      )}
      {sessions === undefined ? null : <Demos first={sessions.length === 0} />}
    </>
  );
}
