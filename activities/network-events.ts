import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkRequest } from '@steadyhand/contracts';
import { createRedactor, readNetworkLog } from '@steadyhand/sandbox/client';
import { append } from '@steadyhand/sessions';
import { readSession } from './session-data.ts';
import { secretsOf } from './session-secrets.ts';
import type { ActivityDeps } from './deps.ts';

/** Events of one step; a browser makes many requests, and what is left comes with the next. */
const MAX_EVENTS = 200;
/** A computer that does not answer keeps no step waiting: well within the time of a brief one. */
const PATIENCE_MS = 700;

/**
 * Brings what the sandbox's programs asked the egress proxy for into the session's log, each request once: the step's key is
 * the last number that the log holds. A sandbox that does not run is left alone, and a failure is the next step's to mend: the
 * requests stay in the sandbox, and the turn does not wait for its audit.
 */
export async function appendNetworkEvents(
  { store, sandboxes, vault }: Pick<ActivityDeps, 'store' | 'sandboxes' | 'vault'>,
  session: string,
): Promise<void> {
  try {
    const data = await readSession(store, session);
    const { sandbox_id: id } = data;
    if (id === null) return;
    const { network_request: after } = data.log;
    const found = await soon((signal) => requestsAfter(sandboxes, id, { after, signal }));
    if (found === null || found.data.length === 0) return;
    // A name is a text that the agent's programs choose: one may be made of a secret.
    const { redactRead } = createRedactor(await secretsOf({ store, vault }, session, data));
    await append(store, {
      session,
      key: `network/${found.created_at}/${after}`,
      events: found.data.map((request) => ({
        type: 'sandbox.network_request',
        body: {
          ...request,
          host: redactRead(request.host),
          reason: request.reason === null ? null : redactRead(request.reason),
        },
      })),
    });
  } catch {
    // Asked again after the next step.
  }
}

async function requestsAfter(
  sandboxes: ActivityDeps['sandboxes'],
  id: string,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Promise<{ readonly created_at: string; readonly data: readonly NetworkRequest[] } | null> {
  const { status, networking, created_at } = await sandboxes.get(id);
  if (status !== 'running' || networking.type === 'none') return null;
  const page = await readNetworkLog(sandboxes, id, { after, limit: MAX_EVENTS, signal });
  if (page.last >= after) return { created_at, data: page.data };
  // Another sandbox than the one that the log tells of: its numbers begin anew.
  return { created_at, data: (await readNetworkLog(sandboxes, id, { limit: MAX_EVENTS, signal })).data };
}

/** What is not there by then counts as not there; nothing is written of it when it comes after all. */
async function soon<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const done = new AbortController();
  try {
    return await Promise.race([work(done.signal), pause(PATIENCE_MS, null, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
