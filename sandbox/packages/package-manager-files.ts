import type { PublicFile } from '../public-folder.ts';
import { machineSources } from './machine-sources.ts';

/** The public keys of the system's package sources. Nothing else of /etc/apt is seen inside. */
export const APT_KEYS = ['/etc/apt/trusted.gpg.d', '/etc/apt/keyrings'];
/** The list of installed packages, which need not be fetched. */
export const DPKG_STATUS = '/var/lib/dpkg/status';

const SYSTEM_CAS = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Returns the machine's own package sources for the managers inside, as files below `folder` (its path as seen inside).
 * apt keeps its state in the agent's `home`. Names and passwords in addresses are removed.
 */
export function packageManagerFiles(folder: string, home: string): Readonly<Record<string, PublicFile>> {
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
    ...Object.fromEntries(
      machineSources().apt.map(([name, text]) => [`apt/${name}`, { text: withoutSecrets(text) }]),
    ),
    'bin/apt-get': {
      text: `#!/bin/sh\nmkdir -p "${cache}/state/lists/partial" "${cache}/cache/archives/partial"\nexec /usr/bin/apt-get "$@"\n`,
      executable: true,
    },
  };
}

/**
 * Returns the environment for the managers, with the agent's `home`. `env` is this process's, of which only mirrors'
 * addresses are passed on.
 */
export function packageManagerEnvironment(
  folder: string,
  home: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const { pip, pipExtra, npm } = machineSources(env);
  return {
    APT_CONFIG: `${folder}/apt/agent.conf`,
    // The agent's own installations go to ~/.local, which it may write and whose bin is on PATH.
    PIP_BREAK_SYSTEM_PACKAGES: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    NPM_CONFIG_PREFIX: `${home}/.local`,
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    ...(pip === undefined ? {} : { PIP_INDEX_URL: withoutSecrets(pip) }),
    ...(pipExtra === undefined ? {} : { PIP_EXTRA_INDEX_URL: withoutSecrets(pipExtra) }),
    ...(npm === undefined ? {} : { NPM_CONFIG_REGISTRY: withoutSecrets(npm) }),
    // Certificate authorities that the machine trusts are trusted inside, also by programs with a list of their own.
    NODE_EXTRA_CA_CERTS: SYSTEM_CAS,
    PIP_CERT: SYSTEM_CAS,
    REQUESTS_CA_BUNDLE: SYSTEM_CAS,
  };
}

/** Removes the names and passwords from addresses. */
function withoutSecrets(text: string): string {
  return text.replace(/(\b[a-z][a-z+.-]*:\/\/)[^\s/@]*@/gi, '$1');
}
