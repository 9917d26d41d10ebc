import { readNetworkLog } from '../sandbox/client/network-log.ts';
import { append } from '../sessions/index.ts';
import { readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';

/** Events of one step; a browser makes many requests, and what is left comes with the next. */
const MAX_EVENTS = 200;

/**
 * Brings what the sandbox's programs asked the egress proxy for into the session's log, each request once: the step's key is
 * the last number that the log holds. A sandbox that does not run is left alone, and a failure is the next step's to mend: the
 * requests stay in the sandbox, and the turn does not wait for its audit.
 */
export async function appendNetworkEvents(
  { store, sandboxes }: Pick<ActivityDeps, 'store' | 'sandboxes'>,
  session: string,
): Promise<void> {
  try {
    const { sandbox_id: id } = await readSession(store, session);
    if (id === null) return;
    const { status, networking, created_at } = await sandboxes.get(id);
    if (status !== 'running' || networking.type === 'none') return;
    const after = await lastNumber(store, session);
    let page = await readNetworkLog(sandboxes, id, { after, limit: MAX_EVENTS });
    // Another sandbox than the one that the log tells of: its numbers begin anew.
    if (page.last < after) page = await readNetworkLog(sandboxes, id, { limit: MAX_EVENTS });
    if (page.data.length === 0) return;
    await append(store, {
      session,
      key: `network/${created_at}/${after}`,
      events: page.data.map((body) => ({ type: 'sandbox.network_request', body })),
    });
  } catch {
    // Asked again after the next step.
  }
}

async function lastNumber(store: ActivityDeps['store'], session: string): Promise<number> {
  const types = ['sandbox.network_request'];
  const [newest] = await store.events.read({ session, types, order: 'desc', limit: 1 });
  const number = newest?.payload['number'];
  return typeof number === 'number' ? number : 0;
}
