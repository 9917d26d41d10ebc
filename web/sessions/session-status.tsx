import type { ReactElement } from 'react';
import type { Session } from '../client/api.ts';
import { Badge, type Tone } from '../parts/badge.tsx';

interface SessionStatusProps {
  readonly session: Pick<Session, 'status' | 'stop_reason'>;
  /** The state of the session's state machine where it is known, e.g. `tool_use.running`. */
  readonly state?: string | null;
}

/** What a session is doing, as people sort it: it runs, it waits for somebody, it failed, or it rests. */
export type Standing = 'running' | 'waiting' | 'failed' | 'resting';

export function standingOf({ status, stop_reason }: SessionStatusProps['session']): Standing {
  if (status === 'running' || status === 'rescheduling') return 'running';
  if (status === 'idle' && stop_reason?.type === 'requires_action') return 'waiting';
  return stop_reason?.type === 'retries_exhausted' ? 'failed' : 'resting';
}

const TONES = {
  running: 'running',
  waiting: 'waiting',
  failed: 'failed',
  resting: 'neutral',
} as const satisfies Record<Standing, Tone>;

/** A session's status in a word. */
export function SessionStatus({ session, state }: SessionStatusProps): ReactElement {
  const standing = standingOf(session);
  const words = { waiting: 'needs you', failed: 'gave up', running: session.status, resting: session.status };
  return (
    <Badge tone={TONES[standing]}>
      {words[standing]}
      {session.status === 'running' && state != null ? (
        <span className="state">{state.split('.')[0]?.replaceAll('_', ' ')}</span>
      ) : null}
    </Badge>
  );
}
