import { type ReactElement, useEffect } from 'react';
import { Link } from '../parts/routing.tsx';
import { LiveScreen } from './live-screen.tsx';

/** A sandbox without a session: its screen, live. */
export function SandboxPage({ id }: { readonly id: string }): ReactElement {
  useEffect(() => {
    document.title = `${id} · Steadyhand`;
  }, [id]);
  return (
    <div className="sandbox-page">
      <div className="heading">
        <div>
          <Link to="/" className="quiet">
            ← Sessions
          </Link>
          <h1>
            <code>{id}</code>
          </h1>
        </div>
      </div>
      <LiveScreen place="sandboxes" id={id} />
    </div>
  );
}
