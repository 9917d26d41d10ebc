import type { ReactElement } from 'react';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { formatClock, formatDuration, formatExact } from '../../parts/format.ts';
import { Lasted } from '../../parts/when.tsx';
import { KIND_NAMES } from './group-kinds.ts';
import { GroupIcon } from './group-icon.tsx';
import { type EventGroup, failureIn, type GroupState } from './groups.ts';

const TONES: Readonly<Record<GroupState, Tone>> = {
  open: 'running',
  completed: 'good',
  failed: 'failed',
  'timed out': 'failed',
  canceled: 'neutral',
  note: 'neutral',
};

/** One group in a line: what, how it ended, how often it was tried, how long it took. */
export function GroupLine({
  group,
  from,
}: {
  readonly group: EventGroup;
  readonly from: number;
}): ReactElement {
  const { kind, label, detail, state, attempts, start, end, events } = group;
  const last = events.at(-1)?.eventId;
  const failure =
    state === 'failed' || state === 'timed out' || (state === 'open' && attempts > 1)
      ? failureIn(group)
      : undefined;
  return (
    <>
      <span className="line-ids figures">
        {group.id}
        {events.length > 1 ? `–${last}` : ''}
      </span>
      <span className="line-kind" title={KIND_NAMES[kind]}>
        <GroupIcon kind={kind} />
        <span className="hidden">{KIND_NAMES[kind]}</span>
      </span>
      <span className="line-label">
        <span className="line-name">{label}</span>
        {detail === undefined ? null : <span className="quiet">{detail}</span>}
        {failure === undefined ? null : <span className="line-failure">{failure}</span>}
      </span>
      <span className="line-attempts figures">{attempts > 1 ? `attempt ${attempts}` : ''}</span>
      <span className="line-state">
        {state === 'note' ? null : <Badge tone={TONES[state]}>{state}</Badge>}
      </span>
      <span className="line-took figures">
        {state === 'note' ? (
          ''
        ) : (
          <Lasted
            from={new Date(start).toISOString()}
            to={end === undefined ? null : new Date(end).toISOString()}
          />
        )}
      </span>
      <time
        className="line-time figures"
        dateTime={new Date(start).toISOString()}
        title={formatExact(new Date(start))}
      >
        {formatClock(new Date(start))}
        <span className="quiet line-offset">+{formatDuration(start - from)}</span>
      </time>
    </>
  );
}
