import type { Networking } from '@steadyhand/contracts';

/** Egress rules that let a sandbox reach these hosts alone. */
export const limitedTo = (
  allowed_hosts: readonly string[],
  allow_package_managers = false,
): Networking & { type: 'limited' } => ({
  type: 'limited',
  allowed_hosts,
  allow_package_managers,
  allow_mcp_servers: false,
});
