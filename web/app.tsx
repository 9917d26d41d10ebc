import type { ReactElement } from 'react';
import { InferencePage } from './inference/inference-page.tsx';
import { SandboxPage } from './live/sandbox-page.tsx';
import { KeyGate } from './key-gate.tsx';
import { Link, usePath } from './parts/routing.tsx';
import { SessionPage } from './sessions/session-page.tsx';
import { SessionsPage } from './sessions/sessions-page.tsx';

/** The whole page: a header, and below it the page that the address names. */
export function App(): ReactElement {
  const path = usePath();
  return (
    <>
      <header className="top">
        <Link to="/" className="brand">
          <img src="/static/icon.svg" alt="" width="28" height="28" />
          Steadyhand
        </Link>
        <nav aria-label="Pages">
          <Link to="/" current={path !== '/inference'}>
            Sessions
          </Link>
          <Link to="/inference" current={path === '/inference'}>
            Inference
          </Link>
        </nav>
      </header>
      <main>
        <KeyGate>
          <Page path={path} />
        </KeyGate>
      </main>
    </>
  );
}

function Page({ path }: { readonly path: string }): ReactElement {
  if (path === '/inference') return <InferencePage />;
  const sandbox = /^\/sandboxes\/([^/]+)$/.exec(path)?.[1];
  if (sandbox !== undefined) return <SandboxPage key={sandbox} id={decodeURIComponent(sandbox)} />;
  const id = /^\/sessions\/([^/]+)$/.exec(path)?.[1];
  return id === undefined ? <SessionsPage /> : <SessionPage key={id} id={decodeURIComponent(id)} />;
}
