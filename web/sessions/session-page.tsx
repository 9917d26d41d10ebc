import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { Controls } from './controls.tsx';
import { LiveScreen } from '../live/live-screen.tsx';
import { Link } from '../parts/routing.tsx';
import { Screen } from './screen.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Entry } from './timeline-item.tsx';
import { pendingApprovals, screenshotsOf, timelineOf } from './timeline.ts';
import { useSession } from './use-session.ts';

/** Shows one session: its screen, its history and its controls, all kept current. */
export function SessionPage({ id }: { readonly id: string }): ReactElement {
  const { session, state, events, connected, problem, gone } = useSession(id);
  const [watching, setWatching] = useState(false);
  const shots = useMemo(() => screenshotsOf(events), [events]);
  const items = useMemo(() => timelineOf(events), [events]);
  const pending = useMemo(() => pendingApprovals(events), [events]);
  const title = session?.title ?? session?.agent.name ?? 'Session';
  useEffect(() => {
    document.title = `${title} · Steadyhand`;
  }, [title]);

  if (gone) {
    return (
      <div className="card empty">
        <p>There is no such session. It may have been deleted.</p>
        <Link to="/">All sessions</Link>
      </div>
    );
  }
  return (
    <div className="session">
      <div className="heading">
        <div>
          <Link to="/" className="quiet">
            ← Sessions
          </Link>
          <h1>{title}</h1>
        </div>
        <div role="status" aria-live="polite" className="status">
          {session === undefined ? null : <StatusBadge session={session} state={state} />}
        </div>
      </div>
      {problem === undefined || connected ? null : (
        <p role="alert" className="problem">
          {problem} Trying again…
        </p>
      )}
      <div className="columns">
        {watching ? (
          <LiveScreen place="sessions" id={id} onClose={() => setWatching(false)} />
        ) : (
          <div>
            <Screen shots={shots} />
            {session?.sandbox_id == null || session.status === 'terminated' ? null : (
              <button type="button" className="watch" onClick={() => setWatching(true)}>
                Watch live
              </button>
            )}
          </div>
        )}
        <div className="side">
          <History count={items.length}>
            {items.map((item) => (
              <Entry key={item.kind === 'tool' ? item.use.id : item.event.id} item={item} />
            ))}
          </History>
          {session === undefined ? null : <Controls session={session} pending={pending} />}
        </div>
      </div>
      {session === undefined ? null : (
        <p className="quiet facts">
          <code>{session.id}</code> · {session.agent.model.id} · {session.usage.input_tokens ?? 0} tokens in,{' '}
          {session.usage.output_tokens ?? 0} out
          {session.sandbox_id === null ? null : (
            <>
              {' '}
              · <code>{session.sandbox_id}</code>
            </>
          )}
        </p>
      )}
    </div>
  );
}

interface HistoryProps {
  readonly count: number;
  readonly children: readonly ReactElement[];
}

/** Shows the entries and keeps scrolling to the newest one while the reader is at the end. */
function History({ count, children }: HistoryProps): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    if (atEnd.current && list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [count]);
  const watch = (): void => {
    const { current } = list;
    if (current !== null)
      atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 40;
  };
  return (
    <section className="card history" aria-label="History">
      {count === 0 ? <p className="quiet nothing">Nothing has happened yet.</p> : null}
      <ol ref={list} onScroll={watch} tabIndex={0} aria-label="Events">
        {children}
      </ol>
    </section>
  );
}
