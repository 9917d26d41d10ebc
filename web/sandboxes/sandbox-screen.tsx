import { useQuery } from '@tanstack/react-query';
import { Power } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { read } from '../client/queries.ts';
import { LiveScreen } from '../live/live-screen.tsx';
import { Button } from '../parts/button.tsx';
import { type Aim, PickOverlay } from './hand/pick-overlay.tsx';
import type { Sandbox } from './parts/sandbox-words.tsx';

interface SandboxScreenProps {
  readonly sandbox: Sandbox;
  readonly aim: Aim | undefined;
}

/** The live screen. One that is stopped is started by being looked at, so that is asked for first. */
export function SandboxScreen({ sandbox, aim }: SandboxScreenProps): ReactElement {
  const { id, status, session_id } = sandbox;
  const [wanted, setWanted] = useState(false);
  const tools = useQuery(read('GET /v1/sandboxes/{id}/tools', { params: { id } }));
  const size = tools.data?.coordinates ?? sandbox.display;
  if (status === 'stopped' && !wanted) {
    return (
      <section className="screen card" aria-label="Live screen">
        <div className="blank stopped">
          <p>It is stopped: its files are there, its programs are not.</p>
          <Button tone="primary" onClick={() => setWanted(true)}>
            <Power size={15} aria-hidden />
            Start it
          </Button>
        </div>
      </section>
    );
  }
  return (
    <LiveScreen
      // A person takes over from the session's agent, where there is one.
      {...(session_id === null
        ? { place: 'sandboxes' as const, id }
        : { place: 'sessions' as const, id: session_id })}
      overlay={aim === undefined || size === null ? null : <PickOverlay size={size} aim={aim} />}
    />
  );
}
