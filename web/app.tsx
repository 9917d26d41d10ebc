import type { ReactElement } from 'react';
import { KeyGate } from './key-gate.tsx';
import { Link, usePath } from './routing.tsx';
import { SessionPage } from './session-page.tsx';
import { SessionsPage } from './sessions-page.tsx';

/** The whole page: a header, and what the address says below it. */
export function App(): ReactElement {
  const id = /^\/sessions\/([^/]+)$/.exec(usePath())?.[1];
  return (
    <>
      <header className="top">
        <Link to="/" className="brand">
          <img src="/static/icon.svg" alt="" width="28" height="28" />
          Steadyhand
        </Link>
      </header>
      <main>
        <KeyGate>
          {id === undefined ? <SessionsPage /> : <SessionPage key={id} id={decodeURIComponent(id)} />}
        </KeyGate>
      </main>
    </>
  );
}
