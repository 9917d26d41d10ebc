import type { NetworkRequest } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

export interface NetworkLogPage {
  /** Oldest first. */
  readonly data: readonly NetworkRequest[];
  /** The newest number that there is. */
  readonly last: number;
}

/** What the programs inside asked the egress proxy for, from after the number on; starts the sandbox's daemon when need be. */
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
