import type { temporal } from '@temporalio/proto';
import { status } from '@grpc/grpc-js';
import { RpcError, invalidArgument } from './rpc-error.ts';

/**
 * Refuses callbacks that a start attaches. The real server calls addresses that its operator has allowed; here none can be
 * allowed, so that each is answered as one that matches no rule.
 */
export function refuseCallbacks(
  callbacks: readonly temporal.api.common.v1.ICallback[] | null | undefined,
): void {
  const [first] = callbacks ?? [];
  if (!first) return;
  if (!first.nexus) throw new RpcError(status.UNIMPLEMENTED, 'unknown callback variant: <nil>');
  const given = first.nexus.url ?? '';
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidArgument(`invalid url: unknown scheme: ${given}`);
  }
  if (!url?.host) throw invalidArgument('invalid url: missing host');
  throw invalidArgument(`invalid url: url does not match any configured callback address: ${given}`);
}
