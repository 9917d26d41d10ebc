import { append, type NewEvent } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';

/** Appends events to a session's log under a key. */
export const appendTo = (
  store: Store,
  session: string,
  key: string,
  events: readonly NewEvent[],
): ReturnType<typeof append> => append(store, { session, key, events });
