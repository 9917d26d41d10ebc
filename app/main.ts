import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig, UnknownOption, type Config } from './config/config.ts';
import { ConfigFileError } from './config/yaml-file.ts';
import { EngineUnavailableError } from '../engine/index.ts';
import { modelThreads } from '../inference/index.ts';
import { blockOtherLoaders } from '../inference/images/sharp.ts';
import { ProvidersFileError } from '../messages/index.ts';
import { fileFault, FileUnusable, StorageFull, StoreTooNew, StoreUnwritable } from '../store/index.ts';
import { AddressUnavailable } from './address-unavailable.ts';
import { DataDirInUse, DataDirOpen } from './data-dir.ts';
import { endWithThreads } from './end-process.ts';
import { boundHeapGrowth } from './heap-growth.ts';
import { startProduct } from './product.ts';

// From dist/main.mjs.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

// Whatever this process makes is its owner's; what others need is opened by name where it is made.
process.umask(0o077);
boundHeapGrowth();

try {
  await run(readConfig(process.env, process.argv.slice(2)));
} catch (error) {
  // The state of a file or of the disk has a line of its own.
  const fault = fileFault(process.env['DATA_DIR'] ?? 'data', error);
  if (!isPlain(fault)) throw error;
  // A person's mistake: one line, no stack.
  console.error(fault.message);
  process.exitCode = 1;
}

async function run(config: Config): Promise<void> {
  const stopping = new AbortController();
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // The second one does not wait for the drain.
      if (++signals > 1) void end(1);
      stopping.abort();
    });
  }
  const product = await startProduct(config, root);
  console.log(product.ready);
  // After the first line: loading the library takes a tenth of a second.
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

/** A thread that is inside a model's run holds nothing up. */
async function end(code: number): Promise<void> {
  if (modelThreads() > 0) await endWithThreads(code);
  process.exit(code);
}

function isPlain(error: unknown): error is Error {
  return [
    ConfigError,
    ConfigFileError,
    ProvidersFileError,
    UnknownOption,
    DataDirInUse,
    DataDirOpen,
    AddressUnavailable,
    EngineUnavailableError,
    FileUnusable,
    StorageFull,
    StoreTooNew,
    StoreUnwritable,
  ].some((kind) => error instanceof kind);
}
