import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where this machine's own package managers get their packages from: the addresses as written, including names and
 * passwords in them.
 */
interface MachineSources {
  /** apt's files, by their names in its folder. */
  readonly apt: readonly (readonly [name: string, text: string])[];
  /** One address each, or several with spaces between; undefined where only the public registry is used. */
  readonly pip: string | undefined;
  readonly pipExtra: string | undefined;
  readonly npm: string | undefined;
  /** Registries of npm's scopes. */
  readonly npmScopes: readonly string[];
  /** The value of GOPROXY. */
  readonly go: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration of apt, npm and pip. The environment has precedence, and unreadable files are ignored. */
export function machineSources(
  env: Environment = process.env,
  root = '/',
  home = homeFolder(),
): MachineSources {
  const pip = readableTexts([
    join(home, '.config/pip/pip.conf'),
    join(home, '.pip/pip.conf'),
    join(root, 'etc/pip.conf'),
  ]);
  const npm = readableTexts([join(home, '.npmrc'), join(root, 'etc/npmrc')]);
  return {
    apt: aptSources(env, root),
    pip: env['PIP_INDEX_URL'] ?? firstMatch(pip, /^\s*index-url\s*=\s*(\S+)/m),
    pipExtra: env['PIP_EXTRA_INDEX_URL'] ?? firstMatch(pip, /^\s*extra-index-url\s*=\s*(\S+)/m),
    npm:
      env['NPM_CONFIG_REGISTRY'] ??
      env['npm_config_registry'] ??
      firstMatch(npm, /^\s*registry\s*=\s*(\S+)/m),
    npmScopes: npm.flatMap((text) =>
      [...text.matchAll(/^\s*@[^:]+:registry\s*=\s*(\S+)/gm)].map(([, address = '']) => address),
    ),
    go: env['GOPROXY'],
  };
}

/** Returns the addresses of the sources that are in use. */
function addressesOf({ apt, pip, pipExtra, npm, npmScopes, go }: MachineSources): readonly string[] {
  const lines = apt
    .flatMap(([, text]) => text.split('\n'))
    .filter((line) => /^\s*(deb\s|URIs:|https?:)/.test(line));
  return [...lines, pip, pipExtra, npm, ...npmScopes, go].flatMap(
    (text) => text?.match(/https?:\/\/[^\s,|'"]+/g) ?? [],
  );
}

/**
 * Returns the mirrors that this machine's own package managers use, as `host:port`. Where they replace the public
 * registries, those are not reached.
 */
export function machineMirrors(sources: MachineSources = machineSources()): string[] {
  return [...new Set(addressesOf(sources).flatMap(hostOf))].sort();
}

function hostOf(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { protocol, hostname, port } = new URL(url);
  return [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
}

function aptSources(env: Environment, root: string): (readonly [name: string, text: string])[] {
  const { list, parts } = aptFolders(env, root);
  const files: (readonly [name: string, path: string])[] = [
    ['sources.list', list],
    ...namesIn(parts)
      .filter((name) => /\.(list|sources)$/.test(name))
      .map((name) => [`sources.list.d/${name}`, join(parts, name)] as const),
  ];
  return files.flatMap(([name, path]) => readableTexts([path]).map((text) => [name, text] as const));
}

/** Returns where apt's sources are, according to APT_CONFIG where that is set for this process. */
function aptFolders(env: Environment, root: string): { readonly list: string; readonly parts: string } {
  const usual = { list: join(root, 'etc/apt/sources.list'), parts: join(root, 'etc/apt/sources.list.d') };
  if (env['APT_CONFIG'] === undefined) return usual;
  try {
    const args = ['shell', 'LIST', 'Dir::Etc::sourcelist/f', 'PARTS', 'Dir::Etc::sourceparts/d'];
    const said = execFileSync('apt-config', args, { encoding: 'utf8', env });
    const of = (name: string): string | undefined => new RegExp(`^${name}='(.*?)/?'$`, 'm').exec(said)?.[1];
    return { list: of('LIST') ?? usual.list, parts: of('PARTS') ?? usual.parts };
  } catch {
    return usual;
  }
}

function firstMatch(texts: readonly string[], pattern: RegExp): string | undefined {
  return texts.map((text) => pattern.exec(text)?.[1]).find((value) => value !== undefined);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readableTexts(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')];
    } catch {
      return [];
    }
  });
}

/** The home folder of this process's user; `/nonexistent` for one whom nobody gave a home (a number without a name). */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/nonexistent';
  }
}
