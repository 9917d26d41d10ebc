import { eventIdOf } from '../histories/event-json.ts';
import { allPages, readPageBackwards } from '../histories/read-history.ts';
import type { TemporalCalls } from '../wire/service.ts';
import type { Run } from '../shapes/service.ts';

/** The event by which a run is reset to its first or its last workflow task; null where it has completed none. */
export async function resetPoint(
  calls: TemporalCalls,
  run: Run,
  to: 'first_workflow_task' | 'last_workflow_task',
): Promise<number | null> {
  if (to === 'first_workflow_task') {
    for await (const events of allPages(calls, run)) {
      const found = events.find((event) => event.workflowTaskCompletedEventAttributes);
      if (found !== undefined) return eventIdOf(found);
    }
    return null;
  }
  let token: Uint8Array | undefined;
  do {
    const page = await readPageBackwards(calls, run, { limit: 1000, token });
    const found = page.events.find((event) => event.workflowTaskCompletedEventAttributes);
    if (found !== undefined) return eventIdOf(found);
    token = page.token;
  } while (token.length > 0);
  return null;
}
