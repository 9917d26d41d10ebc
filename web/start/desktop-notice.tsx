import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../client/queries.ts';

/** Says that this machine has no desktop for agents, where it has none. */
export function DesktopNotice(): ReactElement | null {
  const { data } = useQuery({ ...read('GET /health', {}), staleTime: 60_000 });
  if (data === undefined || data.desktop.available) return null;
  const { reason } = data.desktop;
  return (
    <p className="notice">
      This machine has no desktop for agents{reason === null ? '' : ` (${reason})`}. Sessions run, but their
      tools will fail.
    </p>
  );
}
