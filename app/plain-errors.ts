import { EngineUnavailableError, HistoryFileError } from '@steadyhand/engine';
import { ProvidersFileError } from '@steadyhand/messages';
import {
  fileFault,
  FileUnusableError,
  ObjectStoreRefusedError,
  StorageFullError,
  StoreRefusedError,
  StoreTooNewError,
  StoreUnavailableError,
  StoreUnwritableError,
  TransferFailedError,
  TransferRefusedError,
} from '@steadyhand/store';
import { AddressUnavailableError } from './address-unavailable.ts';
import { CommandLineError } from './commands/command-line.ts';
import { ConfigError, UnknownOptionError } from './config/config.ts';
import { ConfigFileError } from './config/yaml-file.ts';
import { DataDirInUseError, DataDirOpenError, DataDirUnfinishedError } from './data-dir.ts';
import { StartStoppedError } from './parts/patience.ts';
import { SecretsKeyError } from './secrets-key.ts';

/** The errors that say in one line what is wrong and what to do, and need no stack trace. */
const PLAIN = [
  CommandLineError,
  ConfigError,
  ConfigFileError,
  ObjectStoreRefusedError,
  ProvidersFileError,
  UnknownOptionError,
  DataDirInUseError,
  DataDirOpenError,
  DataDirUnfinishedError,
  AddressUnavailableError,
  EngineUnavailableError,
  FileUnusableError,
  HistoryFileError,
  SecretsKeyError,
  StorageFullError,
  StoreRefusedError,
  StoreTooNewError,
  StoreUnavailableError,
  StoreUnwritableError,
  TransferFailedError,
  TransferRefusedError,
];

/** What a process that could not do its work ends with. */
interface Ending {
  readonly code: number;
  /** The line for standard error, if one is needed. */
  readonly message?: string;
}

/** Answers how the process ends after this error; throws one that nobody has foreseen. */
export function endingOf(error: unknown, dataDir: string): Ending {
  // Errors of a file or of the disk become one line.
  const fault = fileFault(dataDir, error);
  if (fault instanceof StartStoppedError) return { code: 0 };
  if (!PLAIN.some((kind) => fault instanceof kind)) throw error;
  return { code: 1, message: (fault as Error).message };
}
