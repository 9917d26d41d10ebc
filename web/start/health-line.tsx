import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { read } from '../client/queries.ts';
import { SystemStatus } from '../system/system-status.tsx';

/** How often health is asked for here; its own page asks more often. */
const EVERY_MS = 10_000;

/** Whether anything is wrong with the server, in one line that leads to the rest. */
export function HealthLine(): ReactElement | null {
  const { data } = useQuery({ ...read('GET /v1/system', {}), refetchInterval: EVERY_MS });
  if (data === undefined) return null;
  const [worst, ...others] = data.problems;
  return (
    <Link to="/system" className="health-line">
      <span className="hidden">Health: </span>
      <SystemStatus status={data.status} />
      {worst === undefined ? null : (
        <span>
          {worst.text}
          {others.length === 0 ? '' : `, and ${others.length} more`}
        </span>
      )}
    </Link>
  );
}
