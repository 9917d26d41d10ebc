import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';

interface SessionLinkProps {
  readonly workflowId: string;
  /** In milliseconds since the epoch; undefined for the newest moment. */
  readonly at: number | undefined;
}

/** From the machine of a session to what the session showed at the same moment; nothing for other workflows. */
export function SessionLink({ workflowId, at }: SessionLinkProps): ReactElement | null {
  const [kind, id] = workflowId.split('/');
  if (kind !== 'session' || id === undefined) return null;
  const search = {
    view: 'machine',
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
  } as const;
  return (
    <p>
      <Link to="/sessions/$id" params={{ id }} search={search}>
        The session at this moment
      </Link>
    </p>
  );
}
