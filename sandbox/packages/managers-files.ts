import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PublicFile } from '../isolation/public-folder.ts';
import { homeFolder } from '../home-folder.ts';

/** Public keys of the system's package sources; nothing else of /etc/apt is seen inside. */
export const APT_KEYS = ['/etc/apt/trusted.gpg.d', '/etc/apt/keyrings'];
/** What is installed, which says what need not be fetched. */
export const DPKG_STATUS = '/var/lib/dpkg/status';

const PIP_FILES = [
  join(homeFolder(), '.config/pip/pip.conf'),
  join(homeFolder(), '.pip/pip.conf'),
  '/etc/pip.conf',
];
const NPM_FILES = [join(homeFolder(), '.npmrc'), '/etc/npmrc'];

const SYSTEM_CAS = '/etc/ssl/certs/ca-certificates.crt';

/**
 * The machine's own package sources for the managers inside, as files below `folder` (its path as seen inside): apt's with
 * its state in the agent's `home`. Names and passwords in addresses are left out.
 */
export function managersFiles(folder: string, home: string): Readonly<Record<string, PublicFile>> {
  const cache = `${home}/.cache/apt`;
  const conf = `Dir::Etc "${folder}/apt";
Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
Dir::State "${cache}/state";
Dir::Cache "${cache}/cache";
Dir::Log "${cache}";
Dir::State::status "${DPKG_STATUS}";
Dir::Etc::parts "";
Dir::Etc::preferencesparts "";
Debug::NoLocking "true";
Acquire::Languages "none";
Acquire::Retries "2";
`;
  return {
    'apt/agent.conf': { text: conf },
    ...Object.fromEntries(aptSources().map(([path, text]) => [`apt/${path}`, { text }])),
    'bin/apt-get': {
      text: `#!/bin/sh\nmkdir -p "${cache}/state/lists/partial" "${cache}/cache/archives/partial"\nexec /usr/bin/apt-get "$@"\n`,
      executable: true,
    },
  };
}

/** The environment for the managers, with the agent's `home`; `env` is this process's, of which only mirrors' addresses are passed on. */
export function managersEnvironment(
  folder: string,
  home: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const pip = env['PIP_INDEX_URL'] ?? setting(PIP_FILES, /^\s*index-url\s*=\s*(\S+)/m);
  const extra = env['PIP_EXTRA_INDEX_URL'] ?? setting(PIP_FILES, /^\s*extra-index-url\s*=\s*(\S+)/m);
  const npm =
    env['NPM_CONFIG_REGISTRY'] ??
    env['npm_config_registry'] ??
    setting(NPM_FILES, /^\s*registry\s*=\s*(\S+)/m);
  return {
    APT_CONFIG: `${folder}/apt/agent.conf`,
    // The agent's own installations go where it may write: ~/.local, whose bin is on PATH.
    PIP_BREAK_SYSTEM_PACKAGES: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    NPM_CONFIG_PREFIX: `${home}/.local`,
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    ...(pip === undefined ? {} : { PIP_INDEX_URL: withoutSecrets(pip) }),
    ...(extra === undefined ? {} : { PIP_EXTRA_INDEX_URL: withoutSecrets(extra) }),
    ...(npm === undefined ? {} : { NPM_CONFIG_REGISTRY: withoutSecrets(npm) }),
    // Authorities that the machine trusts are trusted inside, also by those that bring a list of their own.
    NODE_EXTRA_CA_CERTS: SYSTEM_CAS,
    PIP_CERT: SYSTEM_CAS,
    REQUESTS_CA_BUNDLE: SYSTEM_CAS,
  };
}

function aptSources(): (readonly [path: string, text: string])[] {
  const { list, parts } = aptFolders();
  const files: (readonly [path: string, source: string])[] = [
    ['sources.list', list],
    ...names(parts)
      .filter((name) => /\.(list|sources)$/.test(name))
      .map((name) => [`sources.list.d/${name}`, join(parts, name)] as const),
  ];
  return files.flatMap(([path, source]) => {
    const text = readOrNull(source);
    return text === null ? [] : [[path, withoutSecrets(text)] as const];
  });
}

/** Where apt's sources lie: as APT_CONFIG says, where that is set for this process. */
function aptFolders(): { readonly list: string; readonly parts: string } {
  const usual = { list: '/etc/apt/sources.list', parts: '/etc/apt/sources.list.d' };
  if (process.env['APT_CONFIG'] === undefined) return usual;
  try {
    const args = ['shell', 'LIST', 'Dir::Etc::sourcelist/f', 'PARTS', 'Dir::Etc::sourceparts/d'];
    const said = execFileSync('apt-config', args, { encoding: 'utf8' });
    const of = (name: string): string | undefined => new RegExp(`^${name}='(.*?)/?'$`, 'm').exec(said)?.[1];
    return { list: of('LIST') ?? usual.list, parts: of('PARTS') ?? usual.parts };
  } catch {
    return usual;
  }
}

/** Addresses without the names and passwords in them. */
export function withoutSecrets(text: string): string {
  return text.replace(/(\b[a-z][a-z+.-]*:\/\/)[^\s/@]*@/gi, '$1');
}

function setting(files: readonly string[], pattern: RegExp): string | undefined {
  for (const file of files) {
    const value = pattern.exec(readOrNull(file) ?? '')?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
