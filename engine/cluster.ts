import { Connection } from '@temporalio/client';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { EngineUnavailableError } from './connection/engine-unavailable-error.ts';
import type { Engine, EngineConnection } from './connection/engine.ts';

interface ClusterOptions {
  /** The service's address, which takes precedence over TEMPORAL_ADDRESS and the profile. */
  readonly address?: string;
  /** The namespace when neither TEMPORAL_NAMESPACE nor the profile names one. Default `default`. */
  readonly namespace?: string;
  /** The environment that has the TEMPORAL_* variables. Default: this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long the first answer may take. Default 10 s. */
  readonly connectTimeoutMs?: number;
}

/**
 * Connects to a Temporal service that somebody else runs. Address, namespace, TLS, API key and metadata come from
 * Temporal's own environment configuration: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_*,
 * TEMPORAL_GRPC_META_*, and the profile that TEMPORAL_PROFILE names in the file that TEMPORAL_CONFIG_FILE names.
 *
 * @throws EngineUnavailableError when there is no address, no answer or no such namespace, or the configuration is
 * faulty
 */
export async function connectCluster(options: ClusterOptions = {}): Promise<Engine> {
  const { connectionOptions, namespace: configured } = readEnvironment(options.env ?? process.env);
  const address = options.address ?? connectionOptions.address;
  if (!address) {
    throw new EngineUnavailableError(
      'cluster',
      'set TEMPORAL_ADDRESS to the host:port of a Temporal service.',
    );
  }
  const namespace = configured ?? options.namespace ?? 'default';
  const { tls, apiKey, metadata } = connectionOptions;
  // Each connection gets an object of its own, because the client adds its name to the metadata object.
  const connection = (): EngineConnection => ({
    address,
    ...(tls == null ? {} : { tls }),
    ...(apiKey == null ? {} : { apiKey }),
    ...(metadata == null ? {} : { metadata: textsOf(metadata) }),
  });
  await probe(connection(), address, namespace, options.connectTimeoutMs ?? 10_000);
  return {
    kind: 'cluster',
    address,
    namespace,
    get connection() {
      return connection();
    },
    stop: () => Promise.resolve(),
  };
}

/** Keeps the texts of the metadata. The environment has only texts; binary values could only come from a program. */
function textsOf(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function readEnvironment(env: Readonly<Record<string, string | undefined>>): ClientConnectConfig {
  const overrideEnvVars = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  try {
    return loadClientConnectConfig({ overrideEnvVars });
  } catch (error) {
    throw new EngineUnavailableError('cluster', `Temporal's configuration is faulty: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function probe(
  options: EngineConnection,
  address: string,
  namespace: string,
  timeoutMs: number,
): Promise<void> {
  let connection: Connection;
  try {
    connection = await Connection.connect({ ...options, connectTimeout: timeoutMs });
  } catch (error) {
    throw new EngineUnavailableError('cluster', `no answer from ${address}: ${messageOf(error)}`, {
      cause: error,
      isTemporary: true,
    });
  }
  try {
    await connection.withDeadline(Date.now() + timeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    // A key may well be allowed to work in a namespace and not to describe it.
    if ((error as { code?: number }).code === grpcPermissionDenied) return;
    throw new EngineUnavailableError(
      'cluster',
      `${address} refuses namespace ${namespace}: ${messageOf(error)}`,
      {
        cause: error,
        isTemporary: isTemporary(error),
      },
    );
  } finally {
    await connection.close();
  }
}

const grpcPermissionDenied = 7;

/** Deadline exceeded, not found (a namespace that is about to be made), unavailable. */
const temporaryCodes: readonly (number | undefined)[] = [4, 5, 14];

function isTemporary(error: unknown): boolean {
  return temporaryCodes.includes((error as { code?: number }).code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
