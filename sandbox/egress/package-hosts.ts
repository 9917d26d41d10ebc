import { addressesOf, type MachineSources, machineSources } from '../packages/machine-sources.ts';

/** Where the package managers get their packages from, as they come. */
export const PUBLIC_REGISTRIES: readonly string[] = [
  // apt: Debian and Ubuntu
  'deb.debian.org',
  'security.debian.org',
  'archive.ubuntu.com',
  '*.archive.ubuntu.com',
  'security.ubuntu.com',
  'ports.ubuntu.com',
  // cargo
  'crates.io',
  'index.crates.io',
  'static.crates.io',
  // gem
  'rubygems.org',
  'index.rubygems.org',
  // go
  'proxy.golang.org',
  'sum.golang.org',
  // npm
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  // pip
  'pypi.org',
  'files.pythonhosted.org',
];

/**
 * The mirrors that this machine's own package managers use, as `host:port`: where they stand in for the public registries, those
 * are not to be reached.
 */
export function machineMirrors(sources: MachineSources = machineSources()): string[] {
  return [...new Set(addressesOf(sources).flatMap(hostOf))].sort();
}

function hostOf(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { protocol, hostname, port } = new URL(url);
  return [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
}
