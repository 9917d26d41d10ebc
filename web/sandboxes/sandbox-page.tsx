import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Monitor } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { follow } from '../client/queries.ts';
import { RequestFailedError } from '../client/request.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Recording } from '../sessions/files/recording.tsx';
import type { Aim } from './hand/pick-overlay.tsx';
import { useHand } from './hand/use-hand.ts';
import type { Sandbox } from './parts/sandbox-words.tsx';
import { SandboxHeader } from './sandbox-header.tsx';
import { SandboxScreen } from './sandbox-screen.tsx';
import { SandboxViews } from './sandbox-views.tsx';

/** Shows one sandbox: its screen, live, and everything that can be done with it. */
export function SandboxPage(): ReactElement {
  const { id } = useParams({ from: '/sandboxes/$id' });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    follow('GET /v1/sandboxes/{id}', { params: { id } }),
  );
  const isGone = error instanceof RequestFailedError && error.status === 404;
  // The sandbox before this one is no answer about it.
  const sandbox = isPlaceholderData && data?.id !== id ? undefined : data;
  if (sandbox !== undefined && !isGone) return <SandboxView key={id} sandbox={sandbox} />;
  return (
    <>
      <PageHeader title={id} back={{ to: '/sandboxes', label: 'Sandboxes' }} />
      {error === null ? (
        <Loading rows={8} />
      ) : isGone ? (
        <EmptyState icon={Monitor} title="There is no such sandbox">
          <p>It was ended, or it went with its session.</p>
        </EmptyState>
      ) : (
        <ErrorState error={error} retry={refetch} />
      )}
    </>
  );
}

/** Why a sandbox has no screen and never will have; null for one that has. */
function endOf({ status, reason }: Sandbox): string | null {
  if (status === 'failed') return `${reason} It does not start any more, and can only be ended.`;
  if (status === 'lost') return `The computer was lost: ${reason}. Its files and programs are gone.`;
  return null;
}

function SandboxView({ sandbox }: { readonly sandbox: Sandbox }): ReactElement {
  const end = endOf(sandbox);
  const [aim, setAim] = useState<Aim>();
  const hand = useHand(sandbox.id);
  return (
    <div className="sandbox-page">
      <SandboxHeader sandbox={sandbox} />
      {sandbox.session_id === null || end !== null ? null : (
        <p className="quiet small session-note">
          An agent uses this computer. It is not told of what you do to it here, unless you take over.
        </p>
      )}
      {end === null ? (
        <div className="sandbox-columns">
          <div className="stage">
            <SandboxScreen sandbox={sandbox} aim={aim} />
            {sandbox.status === 'running' ? <Recording sandbox={sandbox.id} /> : null}
          </div>
          <div className="side">
            <SandboxViews sandbox={sandbox} hand={hand} onAim={setAim} />
          </div>
        </div>
      ) : (
        <p className="problem">{end}</p>
      )}
    </div>
  );
}
