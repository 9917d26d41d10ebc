import type { Store } from '@steadyhand/store';
import type { LogEvent } from '../events/types.ts';
import type { TimeSlices } from '../time-slices.ts';
import { fromStored } from './log-event.ts';

const PAGE = { limit: 100, maxCharacters: 256 * 1024 } as const;

/** A session's whole log, read so that others have their turn between two pages of it. */
export async function readWholeLog(
  store: Store,
  session: string,
  slices: TimeSlices,
): Promise<readonly LogEvent[]> {
  const log: LogEvent[] = [];
  for (;;) {
    const after = log.at(-1)?.seq ?? 0;
    const events = await slices.run(() => store.events.read({ session, after, ...PAGE }));
    if (events.length === 0) return log;
    log.push(...events.map(fromStored));
  }
}
