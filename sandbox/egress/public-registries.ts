/** The hosts from which the package managers get their packages by default. */
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
