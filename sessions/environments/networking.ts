import type {
  BetaCloudConfig,
  BetaLimitedNetwork,
} from '@anthropic-ai/sdk/resources/beta/environments/environments.js';
import { z } from 'zod';
import { oneOf } from '../api/schema.ts';

type Given = BetaCloudConfig['networking'] | ({ readonly type: 'limited' } & LimitedFields);

export interface LimitedFields {
  readonly allow_mcp_servers?: boolean | null | undefined;
  readonly allow_package_managers?: boolean | null | undefined;
  readonly allowed_hosts?: string[] | null | undefined;
}

/** A name such as `example.com` or `*.example.com`, or an address, each with an optional port. A scheme is ignored. */
const HOST = /^(?:https?:\/\/)?(?:(?:\*\.)?[^\s/:*@?#%\\[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?\/?$/i;

const allowedHost = z
  .string()
  .max(300)
  .regex(HOST, 'Expected a host name, *. and a host name, or an address, with :port or not');

const limited = z.strictObject({
  type: z.literal('limited'),
  allow_mcp_servers: z.boolean().nullish(),
  allow_package_managers: z.boolean().nullish(),
  allowed_hosts: z.array(allowedHost).max(1000).nullish(),
});

/** An environment's `networking` as clients send it; `networkingOf` fills in the fields that are left out. */
export const networkingInput: z.ZodType<Given> = oneOf<Given>({
  unrestricted: z.strictObject({ type: z.literal('unrestricted') }),
  limited,
});

/** Completes `networking` from the former one; what neither has is off. */
export function networkingOf(
  given: Given | null | undefined,
  former?: BetaCloudConfig['networking'],
): BetaCloudConfig['networking'] {
  if (given == null) return former ?? { type: 'unrestricted' };
  if (given.type === 'unrestricted') return { type: 'unrestricted' };
  const before: Partial<BetaLimitedNetwork> = former?.type === 'limited' ? former : {};
  return {
    type: 'limited',
    allow_mcp_servers: given.allow_mcp_servers ?? before.allow_mcp_servers ?? false,
    allow_package_managers: given.allow_package_managers ?? before.allow_package_managers ?? false,
    allowed_hosts: [...(given.allowed_hosts ?? before.allowed_hosts ?? [])],
  };
}
