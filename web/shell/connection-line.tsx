import { CloudOff } from 'lucide-react';
import { type ReactElement, useEffect, useRef } from 'react';
import { connection } from '../client/connection.ts';
import { useStore } from '../client/store.ts';
import { announce } from '../parts/announce.tsx';

/** Says over the page that the server cannot be reached, and when it is back. What is shown stays, as it was last known. */
export function ConnectionLine(): ReactElement | null {
  const state = useStore(connection);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'lost' && state === 'open') announce('The server is back.');
    before.current = state;
  }, [state]);
  if (state === 'open') return null;
  return (
    <div className="connection" role="status">
      <CloudOff size={16} aria-hidden />
      The server cannot be reached. What you see is as it was; the page goes on by itself.
    </div>
  );
}
