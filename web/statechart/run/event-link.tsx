import { useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';

interface EventLinkProps {
  readonly workflowId: string;
  readonly runId: string;
  /** 0: the history has none. */
  readonly eventId: number;
}

/** Leads to an event of the run's history. */
export function EventLink({ workflowId, runId, eventId }: EventLinkProps): ReactElement | null {
  const router = useRouter();
  if (eventId === 0) return null;
  const search = new URLSearchParams({ run_id: runId, tab: 'raw', event: String(eventId) });
  const href = `/workflows/${encodeURIComponent(workflowId)}?${search.toString()}`;
  return (
    <a
      className="event-link figures"
      href={href}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void router.navigate({ href });
      }}
    >
      event {eventId}
    </a>
  );
}
