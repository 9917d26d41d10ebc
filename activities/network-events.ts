import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { type NetworkRequest, SandboxError } from '@steadyhand/contracts';
import { createRedactor, readNetworkLog } from '@steadyhand/sandbox/client';
import { append } from '@steadyhand/sessions';
import type { ActivityDeps } from './deps.ts';
import { isStoreError } from './failures.ts';
import { readSession } from './session-data.ts';
import { secretsOf } from './session-secrets.ts';

/** The most events of one step; a browser makes many requests, and the rest comes with the next step. */
const MAX_EVENTS = 200;
/** How long a sandbox has for its answer: well within the timeout of the short activities. */
const TIMEOUT_MS = 700;

/**
 * Brings what the sandbox's programs asked the egress proxy for into the session's event log. Each request is brought once,
 * because the key of the append is the last number that the log holds. A sandbox that does not run is left alone. The requests
 * stay in the sandbox, so what the sandbox or the store refuses is left to the next step, and no turn waits for its audit.
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
    const found = await withinTimeLimit((signal) => requestsAfter(sandboxes, id, { after, signal }));
    if (found === null || found.data.length === 0) return;
    // The agent's programs choose the host names: one may be made of a secret.
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
  } catch (error) {
    if (!(error instanceof SandboxError || isStoreError(error))) throw error;
    Context.current().log.warn('network requests not brought into the log yet', { session, error });
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
  // The log tells of another sandbox than this one, whose numbers begin anew.
  return { created_at, data: (await readNetworkLog(sandboxes, id, { limit: MAX_EVENTS, signal })).data };
}

/** The work's result, or null when it takes too long; the work is then aborted and its result ignored. */
async function withinTimeLimit<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const done = new AbortController();
  try {
    return await Promise.race([work(done.signal), pause(TIMEOUT_MS, null, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
