import type { Duplex } from 'node:stream';
import type { Takeover, TakeoverPage, TakeoverStart } from '@steadyhand/contracts';
import type { DaemonHealth } from '../daemon-health.ts';
import type { Sandboxes } from './sandboxes.ts';

type Reach = Pick<Sandboxes, 'reach'>;

/**
 * Opens a viewer's connection to the sandbox's screen, which speaks RFB without a password. It is view-only unless
 * `takeover` names the takeover that it acts for. Throws SandboxError `conflict` when that has ended.
 */
export function watchScreen(sandboxes: Reach, id: string, takeover: string | null): Promise<Duplex> {
  const query = takeover === null ? '' : `?${new URLSearchParams({ takeover }).toString()}`;
  return sandboxes.reach(id, (link) => link.upgrade(`/vnc${query}`));
}

/**
 * Gives mouse and keyboard to a person once the running action has ended. The same id again returns that takeover.
 * @throws SandboxError `conflict` while somebody else has them
 */
export function startTakeover(sandboxes: Reach, id: string, start: TakeoverStart): Promise<Takeover> {
  return sandboxes.reach(id, (link) => link.call<Takeover>('POST', '/takeover', { body: start }));
}

/** Ends a takeover; one that has ended is returned unchanged. */
export function handBack(sandboxes: Reach, id: string, takeover: string): Promise<Takeover> {
  return sandboxes.reach(id, (link) => link.call<Takeover>('POST', '/handback', { body: { id: takeover } }));
}

/** Stops the actions that run or wait, so that a takeover need not wait for them. */
export async function interruptAll(sandboxes: Reach, id: string): Promise<void> {
  await sandboxes.reach(id, async (link) => {
    const { pending } = await link.call<DaemonHealth>('GET', '/health');
    for (const key of pending) await link.call('POST', '/interrupt', { body: { key } });
  });
}

/** The newest takeover and its inputs from number `after` on; waits up to `waitMs` for a change. */
export function readTakeover(
  sandboxes: Reach,
  id: string,
  options: { readonly after?: number; readonly waitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<TakeoverPage> {
  const { after = 0, waitMs = 0, signal } = options;
  const route = `/takeover?after=${after}&wait_ms=${waitMs}`;
  return sandboxes.reach(id, (link) => link.call<TakeoverPage>('GET', route, { signal }), { signal });
}
