import type { NetworkRequest } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

export interface NetworkLogPage {
  /** Oldest first. */
  readonly data: readonly NetworkRequest[];
  /** The newest number in the log. */
  readonly last: number;
}

/** The request log of the egress proxy after a number. Starts the sandbox's daemon when it does not run. */
export function readNetworkLog(
  sandboxes: Pick<Sandboxes, 'reach'>,
  id: string,
  {
    after = 0,
    limit = 1_000,
    signal,
  }: { readonly after?: number; readonly limit?: number; readonly signal?: AbortSignal } = {},
): Promise<NetworkLogPage> {
  const route = `/network_log?after=${after}&limit=${limit}`;
  return sandboxes.reach(id, (link) => link.call<NetworkLogPage>('GET', route, { signal }), { signal });
}
