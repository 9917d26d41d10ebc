import type { ReactElement } from 'react';
import type { Session } from '../client/api.ts';

interface StatusBadgeProps {
  readonly session: Pick<Session, 'status' | 'stop_reason'>;
  /** The state of the session's state machine where it is known, e.g. `tool_use.running`. */
  readonly state?: string | null;
}

/** A session's status in a word, with a colour that only repeats what the word says. */
export function StatusBadge({ session: { status, stop_reason }, state }: StatusBadgeProps): ReactElement {
  const waits = status === 'idle' && stop_reason?.type === 'requires_action';
  const kind = waits ? 'waiting' : status;
  return (
    <span className={`badge ${kind}`}>
      <span className="dot" aria-hidden="true" />
      {waits ? 'needs you' : status}
      {status === 'running' && state != null ? (
        <span className="state">{state.split('.')[0]?.replaceAll('_', ' ')}</span>
      ) : null}
    </span>
  );
}
