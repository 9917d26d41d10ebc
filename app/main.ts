import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { EngineUnavailableError, HistoryFileError } from '@steadyhand/engine';
import { blockOtherLoaders, modelThreads } from '@steadyhand/inference';
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
import { ConfigError, readConfig, UnknownOptionError, type Config } from './config/config.ts';
import { ConfigFileError } from './config/yaml-file.ts';
import { CommandLineError, readCommand } from './commands/command-line.ts';
import { runCommand } from './commands/run-command.ts';
import { AddressUnavailableError } from './address-unavailable.ts';
import { DataDirInUseError, DataDirOpenError, DataDirUnfinishedError } from './data-dir.ts';
import { endWithThreads } from './end-process.ts';
import { SecretsKeyError } from './secrets-key.ts';

import { StartStoppedError } from './parts/patience.ts';
import { startProduct } from './product.ts';
import { versionOf } from './version.ts';

// The bundle is dist/main.mjs.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

// Files are readable by their owner only; those that others need get another mode where they are made.
process.umask(0o077);
// A heap may grow by this many percent of its live objects before V8 collects it, in this thread and in all workers. By default
// V8 lets the heap of a busy process with much memory grow to four times its live objects: 340 MiB of garbage after some
// thousand sessions, never given back.
setFlagsFromString('--heap-growing-percent=50');

try {
  const args = process.argv.slice(2);
  const command = readCommand(args);
  if (command === undefined) await run(readConfig(process.env, args));
  else console.log(await runCommand(command, process.env, versionOf(root)));
} catch (error) {
  // Errors of a file or of the disk become one line.
  const fault = fileFault(process.env['DATA_DIR'] ?? 'data', error);
  if (fault instanceof StartStoppedError) process.exit(0);
  if (!isPlain(fault)) throw error;
  // A mistake in the configuration needs one line and no stack trace.
  console.error(fault.message);
  process.exitCode = 1;
}

async function run(config: Config): Promise<void> {
  const stopping = new AbortController();
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // The second signal ends the process without draining.
      if (++signals > 1) void end(1);
      stopping.abort();
    });
  }
  const product = await startProduct(config, root, stopping.signal);
  console.log(product.ready);
  if (product.isOver === true) {
    await product.stop();
    process.exit(0);
  }
  // This comes after the first line, because loading the library takes a tenth of a second.
  await blockOtherLoaders();
  await new Promise<void>((resolve) => {
    if (stopping.signal.aborted) resolve();
    stopping.signal.addEventListener('abort', () => resolve());
    void product.failed.catch((error: unknown) => {
      console.error(`Steadyhand stops: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
      resolve();
    });
  });
  await product.stop();
  await end(Number(process.exitCode ?? 0));
}

/** Ends the process, also while a thread is inside a model's run. */
async function end(code: number): Promise<void> {
  if (modelThreads() > 0) await endWithThreads(code);
  process.exit(code);
}

function isPlain(error: unknown): error is Error {
  return [
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
  ].some((kind) => error instanceof kind);
}
