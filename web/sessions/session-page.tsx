import { Link, useParams } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { type ReactElement, useMemo, useState } from 'react';
import { LiveScreen } from '../live/live-screen.tsx';
import { Button } from '../parts/button.tsx';
import { useCommands } from '../parts/commands.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Controls } from './now/controls.tsx';
import { PendingMark } from './now/pending-mark.tsx';
import { Stage } from './now/stage.tsx';
import { SessionHeader } from './session-header.tsx';
import { SideViews } from './side-views.tsx';
import { Scrubber } from './time/scrubber.tsx';
import { useMoment } from './time/use-moment.ts';
import { usePlay } from './time/use-play.ts';
import { useTimeKeys } from './time/use-time-keys.ts';
import { describeRow } from './turns/describe-row.ts';
import { pendingApprovals } from './turns/pending.ts';
import type { ToolRow } from './turns/rows.ts';
import { turnsOf } from './turns/turns.ts';
import { useSession } from './use-session.ts';

/** Shows one session: its screen and its turns at one moment, and what can be done now. */
export function SessionPage(): ReactElement {
  const { id } = useParams({ from: '/sessions/$id' });
  return <SessionView key={id} id={id} />;
}

function SessionView({ id }: { readonly id: string }): ReactElement {
  const followed = useSession(id);
  const { session, events, connected, problem, gone } = followed;
  const [watching, setWatching] = useState(false);
  const turns = useMemo(() => turnsOf(events), [events]);
  const pending = useMemo(() => {
    const waiting = new Set(pendingApprovals(events).map((use) => use.id));
    return turns.rows.filter((row): row is ToolRow => row.kind === 'tool' && waiting.has(row.id));
  }, [events, turns]);
  const view = useMoment(turns);
  const playing = usePlay(view);
  useTimeKeys(view, playing);
  const canWatch = session?.sandbox_id != null && session.status !== 'terminated';
  useCommands(
    canWatch
      ? [
          {
            id: 'watch',
            name: watching ? 'Stop watching' : 'Watch live',
            group: 'This session',
            run: () => setWatching(!watching),
          },
        ]
      : [],
  );
  if (gone) return <Gone />;

  const { moments, held, hold } = view;
  const moment = moments[held ?? moments.length - 1];
  const heldRow = held === undefined || moment === undefined ? undefined : turns.rows[moment.row];
  const describe = (index: number): string => {
    const row = turns.rows[moments[index]?.row ?? -1];
    return row === undefined ? 'Nothing yet' : describeRow(row);
  };
  return (
    <div className="session">
      <SessionHeader {...followed} />
      {problem === undefined || connected ? null : (
        <p role="alert" className="problem">
          {problem} Trying again…
        </p>
      )}
      <div className="columns">
        <div className="stage">
          {watching && session !== undefined ? (
            <LiveScreen
              place="sessions"
              id={id}
              onClose={() => setWatching(false)}
              overlay={<PendingMark session={session} pending={pending[0]} />}
            />
          ) : (
            <Stage moment={moment} row={heldRow} pending={pending[0]} />
          )}
          {canWatch && !watching ? (
            <Button className="watch" onClick={() => setWatching(true)}>
              Watch live
            </Button>
          ) : null}
          <Scrubber view={view} playing={playing} describe={describe} />
        </div>
        <div className="side">
          <SideViews
            followed={followed}
            turns={turns}
            view={view}
            chosen={held === undefined ? undefined : moment?.row}
            onChoose={hold}
          />
          {session === undefined ? null : <Controls session={session} pending={pending} />}
        </div>
      </div>
    </div>
  );
}

function Gone(): ReactElement {
  return (
    <>
      <PageHeader title="No such session" hidden />
      <EmptyState icon={MessagesSquare} title="There is no such session">
        <p>It may have been deleted.</p>
        <Link to="/sessions">All sessions</Link>
      </EmptyState>
    </>
  );
}
