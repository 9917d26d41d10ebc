import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  providerKinds,
  type ProvidersTable,
  readProvidersTable,
  type TextRecognizer,
} from '@steadyhand/messages';
import { ConfigFileError, readYamlFile } from './yaml-file.ts';

/** The file that is read when none is configured. */
const DEFAULT_FILE = 'providers.yaml';

export interface ProvidersFile {
  readonly table: ProvidersTable;
  /** A line for the log when the file holds keys that other users of this machine can read. */
  readonly warning: string | undefined;
}

/**
 * Reads the providers file; undefined where none is configured and the working folder holds none.
 * @throws {ConfigFileError | ProvidersFileError} in one line
 */
export function readProvidersFile(options: {
  readonly named: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly recognizer: TextRecognizer;
  /** Whether other processes serve the same sessions; default false. */
  readonly isShared?: boolean;
}): ProvidersFile | undefined {
  const { named, env, recognizer, isShared = false } = options;
  const file = named ?? path.resolve(DEFAULT_FILE);
  if (named === undefined && !existsSync(file)) return undefined;
  const { content, isOpen } = readYamlFile(file);
  const table = readProvidersTable(content, {
    file,
    folder: path.dirname(file),
    env,
    kinds: providerKinds(recognizer),
  });
  const recorded = table.models.findIndex(({ record }) => record !== undefined);
  if (isShared && recorded !== -1) {
    const reason = 'where STORE is PostgreSQL, a recording would lie in pieces in several processes';
    throw new ConfigFileError(file, `models.${recorded}.record`, reason);
  }
  const warning =
    isOpen && table.secretsInFile
      ? `${file} holds a key and can be read by others on this machine: chmod 600 it, or refer to a variable`
      : undefined;
  return { table, warning };
}
