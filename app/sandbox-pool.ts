import { ApiError } from '@steadyhand/contracts';
import {
  createSandboxPool,
  RegistrationRefusedError,
  type SandboxPool,
  type SandboxPoolOptions,
} from '@steadyhand/sandbox/client';
import type { SandboxPoolService } from '@steadyhand/server';
import type { Config } from './config/config.ts';

/** The sandbox pool of the configuration; undefined without a token. */
export function poolOf(
  { token, members, lostAfterMs }: Config['sandbox']['pool'],
  options: Pick<SandboxPoolOptions, 'dir' | 'logger' | 'registry'>,
): SandboxPool | undefined {
  if (token === undefined) return undefined;
  return createSandboxPool({ ...options, token, addresses: members, lostAfterMs });
}

/** The pool as the server uses it: its errors become the API's. */
export function sandboxPoolService(pool: SandboxPool): SandboxPoolService {
  return {
    register: async (signed) => {
      try {
        return await pool.register(signed);
      } catch (error) {
        if (!(error instanceof RegistrationRefusedError)) throw error;
        throw new ApiError(error.proven ? 'invalid_request_error' : 'authentication_error', error.message);
      }
    },
    members: async () =>
      (await pool.machines()).map(
        ({ member, sandboxes, capacity, draining, address, seen, isolation, missing, away }) => ({
          id: member,
          status: away ? 'away' : draining ? 'draining' : sandboxes.length < capacity ? 'free' : 'used',
          capacity,
          used: sandboxes.length,
          draining,
          sandbox_id: sandboxes[0]?.id ?? null,
          sandbox_ids: sandboxes.map(({ id }) => id),
          address: `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`,
          isolation,
          desktop: missing.length === 0,
          last_seen_at: new Date(seen).toISOString(),
        }),
      ),
    figures: () => pool.figures(),
  };
}
