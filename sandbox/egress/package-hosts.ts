import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../home-folder.ts';

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

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The mirrors that this machine's own package managers use, as `host:port`: where they stand in for the public
 * registries, those are not to be reached. Read from the configuration of apt, npm and pip; what cannot be read is passed over.
 */
export function machineMirrors(env: Environment = process.env, root = '/', home = homeFolder()): string[] {
  const apt = [join(root, 'etc/apt/sources.list'), ...within(join(root, 'etc/apt/sources.list.d'))];
  const pip = [join(root, 'etc/pip.conf'), join(home, '.config/pip/pip.conf'), join(home, '.pip/pip.conf')];
  const npm = [join(root, 'etc/npmrc'), join(home, '.npmrc')];
  const lines = [
    ...linesOf(apt).filter((line) => /^\s*(deb\s|URIs:|https?:)/.test(line)),
    ...linesOf(pip).filter((line) => /^\s*(extra-)?index-url\s*=/.test(line)),
    ...linesOf(npm).filter((line) => /^\s*(@[^:]+:)?registry\s*=/.test(line)),
    ...['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'npm_config_registry', 'NPM_CONFIG_REGISTRY', 'GOPROXY'].map(
      (name) => env[name] ?? '',
    ),
  ];
  const urls = lines.flatMap((line) => line.match(/https?:\/\/[^\s,|'"]+/g) ?? []);
  return [...new Set(urls.flatMap(hostOf))].sort();
}

function hostOf(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { protocol, hostname, port } = new URL(url);
  return [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
}

function within(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function linesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return readFileSync(path, 'utf8').split('\n');
    } catch {
      return [];
    }
  });
}
