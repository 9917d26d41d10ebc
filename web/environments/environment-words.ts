import type { ApiAnswer } from '../client/api.ts';

export type Environment = ApiAnswer<'GET /v1/environments/{id}'>;

/** The words of the form and of what it makes. */
export const WORDS: Readonly<Record<string, string>> = {
  cloud: 'On this server',
  self_hosted: 'Self-hosted: on workers of your own',
  networking: 'Network',
  unrestricted: 'Everything may be reached',
  limited: 'Only what is named',
  allowed_hosts: 'Hosts',
  allow_package_managers: 'Package managers may reach their registries',
  allow_mcp_servers: 'MCP servers may be reached',
  packages: 'Packages',
};

/** What sandboxes may reach, in a few words. */
export function networkWords({ config }: Environment): string {
  if (config.type === 'self_hosted') return 'self-hosted';
  const { networking } = config;
  if (networking.type === 'unrestricted') return 'everything';
  const { length } = networking.allowed_hosts;
  return length === 0 ? 'nothing' : length === 1 ? '1 host' : `${length} hosts`;
}

/** The names of all packages, with their managers. */
export function packagesOf({
  config,
}: Environment): readonly (readonly [manager: string, names: readonly string[]])[] {
  if (config.type === 'self_hosted') return [];
  const { type: _type, ...managers } = config.packages;
  return Object.entries(managers).filter(([, names]) => names.length > 0);
}
