import { formatDuration } from '../../parts/format.ts';
import { KIND_NAMES } from '../history/group-kinds.ts';
import { type EventGroup, failureIn } from '../history/groups.ts';

/** A group in a sentence, for the line below the timeline and for screen readers. */
export function groupWords(group: EventGroup): string {
  const { kind, label, detail, state, start, end, attempts } = group;
  const failure = state === 'failed' || state === 'timed out' ? failureIn(group) : undefined;
  return [
    `${KIND_NAMES[kind]} ${label}${detail === undefined ? '' : ` (${detail})`}`,
    state === 'note' ? '' : state,
    end === undefined || state === 'note' ? '' : formatDuration(end - start),
    attempts > 1 ? `attempt ${attempts}` : '',
    failure ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
}
