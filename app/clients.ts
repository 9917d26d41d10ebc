import { type Access, accessFor, createScrub, type KeyLimits, type Scrub } from '@steadyhand/server';
import { readApiKeysFile } from './config/api-keys-file.ts';
import { type Config, ConfigError } from './config/config.ts';
import type { ProvidersFile } from './config/providers-file.ts';

/** The clients that may call the server, and what each of them may use. */
export interface Clients {
  readonly access: Access;
  /** A key that was made just now, to be printed once. */
  readonly newKey: string | undefined;
  /** Takes the keys of clients and providers out of logs and answers. */
  readonly scrub: Scrub;
  /** The same for large texts: takes out the keys that are known as they are, and no others. */
  readonly scrubData: Scrub;
  /** For the log. */
  readonly warnings: readonly string[];
}

/**
 * Reads the keys of clients, and makes one where one is needed and there is none.
 * @throws {ConfigFileError} in one line
 */
export async function readClients(config: Config, providers: ProvidersFile | undefined): Promise<Clients> {
  const { rateLimits, apiKeysFile, apiKey, host, dataDir } = config;
  const limits = Object.fromEntries(
    Object.entries(rateLimits).filter(([, value]) => value !== undefined),
  ) as KeyLimits;
  const file = apiKeysFile === undefined ? undefined : readApiKeysFile(apiKeysFile, process.env, limits);
  const keys = file?.keys ?? [];
  // A key is made where a server keeps it; a worker has no clients, and image models are reached by others that need the key.
  const keyFolder = config.role === 'worker' || config.role === 'inference' ? undefined : dataDir;
  const { access, newKey, secrets } = await accessFor({ host, apiKey, keys, limits, dataDir: keyFolder });
  if (config.role === 'inference' && access.kind === 'keys' && access.keys.length === 0) {
    throw new ConfigError('API_KEY', '', `a key, or API_KEYS, with --role=inference on HOST=${host}`);
  }
  const known = [
    ...secrets,
    ...(file?.secrets ?? []),
    ...(config.store === undefined ? [] : [decodeURIComponent(new URL(config.store).password)]),
    ...(config.sandbox.pool.token === undefined ? [] : [config.sandbox.pool.token]),
    ...(providers?.table.secrets ?? []),
    ...(config.anthropic.apiKey === undefined ? [] : [config.anthropic.apiKey]),
    ...(config.codec?.authorization === undefined
      ? []
      : [config.codec.authorization.slice('Bearer '.length)]),
  ];
  return {
    access,
    newKey,
    scrubData: createScrub(known),
    scrub: createScrub(known, access.kind === 'keys' ? access.keys : []),
    warnings: [providers?.warning, file?.warning].filter((warning) => warning !== undefined),
  };
}
