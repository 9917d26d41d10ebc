import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CopyableId } from '../../parts/copyable.tsx';
import { When } from '../../parts/when.tsx';
import { isolationWords, networkWords, Owner, type Sandbox, SandboxStatus } from '../parts/sandbox-words.tsx';
import { ScreenPicture } from '../parts/screen-picture.tsx';

interface SandboxCardProps {
  readonly sandbox: Sandbox;
  /** Its session's title, where it is known. */
  readonly title: string | undefined;
  /** The pool machine that lends itself for it, where one does. */
  readonly machine: string | undefined;
}

/** A sandbox in the list: its screen, what it is in, and whose it is. */
export function SandboxCard({ sandbox, title, machine }: SandboxCardProps): ReactElement {
  const { id, status, display, created_at, reason } = sandbox;
  return (
    <li className="card sandbox-card">
      <Link to="/sandboxes/$id" params={{ id }} aria-label={`Sandbox ${id}`} className="card-picture">
        <ScreenPicture id={id} running={status === 'running'} />
      </Link>
      <div className="card-words">
        <p className="card-line">
          <SandboxStatus sandbox={sandbox} />
          <Owner sandbox={sandbox} title={title} />
          <When at={created_at} />
        </p>
        <p className="card-line quiet">
          <CopyableId id={id} short />
          <span>{display === null ? '' : `${display.width} × ${display.height}`}</span>
        </p>
        <p className="quiet small">
          {isolationWords(sandbox)}, {networkWords(sandbox)}
          {machine === undefined ? '' : `, pool machine ${machine}`}
        </p>
        {reason === null ? null : <p className="card-reason">{reason}</p>}
      </div>
    </li>
  );
}
