import { Link } from '@tanstack/react-router';
import { type ReactElement, useId } from 'react';
import type { Session } from '../client/api.ts';
import { When } from '../parts/when.tsx';
import { SessionStatus } from '../sessions/session-status.tsx';

/** How many are named; the rest is a number. */
const MOST = 6;

interface SessionGroupProps {
  readonly title: string;
  /** What is said where there are none. */
  readonly none: string;
  readonly sessions: readonly Session[];
}

/** Sessions that have something in common. */
export function SessionGroup({ title, none, sessions }: SessionGroupProps): ReactElement {
  const id = useId();
  return (
    <section className="card session-group" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="count figures">{sessions.length}</span>
      </h2>
      {sessions.length === 0 ? <p className="quiet">{none}</p> : null}
      <ul className="plain">
        {sessions.slice(0, MOST).map((session) => (
          <li key={session.id}>
            <Link to="/sessions/$id" params={{ id: session.id }}>
              <span className="title">{session.title ?? session.agent.name}</span>
              <SessionStatus session={session} />
              <span className="quiet small">
                {session.agent.name} · <When at={session.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {sessions.length > MOST ? <p className="quiet small">and {sessions.length - MOST} more</p> : null}
    </section>
  );
}
