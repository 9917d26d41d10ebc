import { type ReactElement, useEffect, useState } from 'react';
import { ask, call, type Health, type Session } from '../client/api.ts';
import { startDemo } from './demo.ts';
import { Link, navigate } from '../parts/routing.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { useAction } from '../parts/use-action.ts';
import { When } from '../parts/when.tsx';

const REFRESH_MS = 2000;

interface Listed {
  readonly sessions: readonly Session[];
  readonly next: string | null;
  readonly problem: string | undefined;
}

/** Shows all sessions with their states, newest first, and starts a demo at a click. */
export function SessionsPage(): ReactElement {
  const [pages, setPages] = useState<readonly (string | null)[]>([null]);
  const [listed, setListed] = useState<Listed>();
  const [turn, setTurn] = useState(0);
  const [desktop, setDesktop] = useState<Health['desktop']>();
  const demo = useAction();
  const removal = useAction();
  const page = pages.at(-1) ?? null;

  useEffect(() => {
    document.title = 'Steadyhand';
    const gone = new AbortController();
    call('GET /health', { signal: gone.signal }).then(
      (health) => setDesktop(health.desktop),
      // The list below says so when the server cannot be reached.
      () => undefined,
    );
    return () => gone.abort();
  }, []);
  useEffect(() => {
    const gone = new AbortController();
    const refresh = async (): Promise<void> => {
      try {
        const query = { limit: '20', ...(page === null ? {} : { page }) };
        const found = await call('GET /v1/sessions', { query, signal: gone.signal });
        setListed({ sessions: found.data, next: found.next_page, problem: undefined });
      } catch (error) {
        if (gone.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        setListed((last) => ({ sessions: last?.sessions ?? [], next: last?.next ?? null, problem }));
      }
    };
    void refresh();
    const timer = setInterval(() => {
      if (!document.hidden) void refresh();
    }, REFRESH_MS);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, [page, turn]);

  const start = (): void => demo.run(async () => navigate(`/sessions/${(await startDemo()).id}`));
  const remove = (session: Session): void => {
    if (!window.confirm(`Delete “${session.title ?? session.id}” with its events and its sandbox?`)) return;
    removal.run(async () => {
      await ask('DELETE /v1/sessions/{id}', { params: { id: session.id } });
      setTurn((last) => last + 1);
    });
  };

  return (
    <div className="sessions">
      <div className="heading">
        <h1>Sessions</h1>
        <button type="button" className="primary" disabled={demo.busy} onClick={start}>
          {demo.busy ? 'Starting…' : 'Start a demo session'}
        </button>
      </div>
      {[demo.problem, removal.problem, listed?.problem].map((problem, index) =>
        problem === undefined ? null : (
          <p key={index} role="alert" className="problem">
            {problem}
          </p>
        ),
      )}
      {desktop === undefined || desktop.available ? null : (
        <p className="notice">
          This machine has no desktop for agents{desktop.reason === null ? '' : ` (${desktop.reason})`}.
          Sessions run, but their tools will fail.
        </p>
      )}
      {listed === undefined ? null : <SessionList sessions={listed.sessions} remove={remove} />}
      {pages.length > 1 || listed?.next != null ? (
        <nav className="paging" aria-label="Pages">
          <button type="button" disabled={pages.length < 2} onClick={() => setPages(pages.slice(0, -1))}>
            Newer
          </button>
          <button
            type="button"
            disabled={listed?.next == null}
            onClick={() => setPages([...pages, listed?.next ?? null])}
          >
            Older
          </button>
        </nav>
      ) : null}
    </div>
  );
}

interface SessionListProps {
  readonly sessions: readonly Session[];
  readonly remove: (session: Session) => void;
}

function SessionList({ sessions, remove }: SessionListProps): ReactElement {
  if (sessions.length === 0) {
    return (
      <div className="card empty">
        <p>No session yet.</p>
        <p className="quiet">
          The demo writes a file with bash, edits it, opens it in an editor on a real desktop, types and
          saves. It follows a script, so it needs no network and no key.
        </p>
      </div>
    );
  }
  return (
    <ul className="card rows">
      {sessions.map((session) => (
        <li key={session.id}>
          <Link to={`/sessions/${session.id}`} className="row">
            <span className="title">{session.title ?? session.agent.name}</span>
            <StatusBadge session={session} />
            <span className="quiet detail">
              {session.agent.model.id} · <When at={session.created_at} full />
            </span>
          </Link>
          <button
            type="button"
            className="subtle"
            aria-label={`Delete ${session.title ?? session.id}`}
            title="Delete"
            onClick={() => remove(session)}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}
