import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';

/** Which pending activities of a run are meant: one by its id, or all of a type, or all. */
export interface ActivitySelection {
  readonly id?: string | null;
  readonly type?: string | null;
  readonly all?: boolean | null;
}

/** Answers the activities that are meant, to be changed within the current transaction. */
export function selectActivities(
  state: MutableState,
  { id, type, all }: ActivitySelection,
): ActivityRecord[] {
  const { activities } = state.pending;
  return [...activities.values()]
    .filter((activity) => all || (id ? activity.activityId === id : activity.activityType === type))
    .flatMap(({ scheduledEventId }) => activities.edit(scheduledEventId) ?? []);
}
