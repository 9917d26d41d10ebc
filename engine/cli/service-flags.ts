import { connectCluster } from '../cluster.ts';
import type { Engine } from '../connection/engine.ts';
import type { Flag } from './flags.ts';

/** The flags of a command that is a client of some Temporal service, in the words of the `temporal` CLI. */
export const SERVICE_FLAGS = {
  address: {},
  namespace: { short: 'n' },
  'api-key': {},
  tls: { boolean: true },
  'tls-ca-path': {},
  'tls-cert-path': {},
  'tls-key-path': {},
  'tls-server-name': {},
  profile: {},
} as const satisfies Readonly<Record<string, Flag>>;

type ServiceFlags = { readonly [name in keyof typeof SERVICE_FLAGS]?: readonly string[] };

/** Temporal's own variables for the same. */
const VARIABLES: Readonly<Record<keyof typeof SERVICE_FLAGS, string>> = {
  address: 'TEMPORAL_ADDRESS',
  namespace: 'TEMPORAL_NAMESPACE',
  'api-key': 'TEMPORAL_API_KEY',
  tls: 'TEMPORAL_TLS',
  'tls-ca-path': 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'tls-cert-path': 'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'tls-key-path': 'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'tls-server-name': 'TEMPORAL_TLS_SERVER_NAME',
  profile: 'TEMPORAL_PROFILE',
};

/**
 * Connects as the flags say, and Temporal's environment configuration where they say nothing; by default to this machine.
 *
 * @throws EngineUnavailableError
 */
export async function connectAsTold(
  flags: ServiceFlags,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Engine> {
  const told = Object.entries(VARIABLES).flatMap(([flag, variable]) => {
    const value = flags[flag as keyof ServiceFlags]?.at(-1);
    return value === undefined ? [] : [[variable, value] as const];
  });
  const all: Readonly<Record<string, string | undefined>> = { ...env, ...Object.fromEntries(told) };
  const isSomewhere = all['TEMPORAL_ADDRESS'] ?? all['TEMPORAL_PROFILE'] ?? all['TEMPORAL_CONFIG_FILE'];
  return await connectCluster({ env: isSomewhere ? all : { ...all, TEMPORAL_ADDRESS: '127.0.0.1:7233' } });
}
