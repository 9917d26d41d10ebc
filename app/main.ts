import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { readCommand } from './commands/command-line.ts';
import type { Config } from './config/config.ts';
import { endWithThreads } from './end-process.ts';
import { versionOf } from './version.ts';

// The bundle is dist/main.mjs.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

// Files are readable by their owner only; those that others need get another mode where they are made.
process.umask(0o077);

// What a command, a start or an error needs is loaded then: the whole takes a second of a processor.
try {
  const args = process.argv.slice(2);
  const command = readCommand(args);
  if (command === undefined) {
    const { readConfig } = await import('./config/config.ts');
    await run(readConfig(process.env, args));
  } else {
    const { runCommand } = await import('./commands/run-command.ts');
    console.log(await runCommand(command, process.env, versionOf(root)));
  }
} catch (error) {
  const { endingOf } = await import('./plain-errors.ts');
  const { code, message } = endingOf(error, process.env['DATA_DIR'] ?? 'data');
  if (message === undefined) process.exit(code);
  console.error(message);
  process.exitCode = code;
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
  const { blockOtherLoaders } = await import('@steadyhand/inference');
  blockOtherLoaders();
  const { startProduct } = await import('./product.ts');
  const product = await startProduct(config, root, stopping.signal);
  console.log(product.ready);
  // A heap may grow by this many percent of its live objects before V8 collects it, in this thread and in all workers. By default
  // V8 lets the heap of a busy process with much memory grow to four times its live objects: 340 MiB of garbage after some
  // thousand sessions, never given back. During the start, which makes little garbage, these collections would be in vain.
  setFlagsFromString('--heap-growing-percent=50');
  if (product.isOver === true) {
    await product.stop();
    process.exit(0);
  }
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
  const { modelThreads } = await import('@steadyhand/inference');
  if (modelThreads() > 0) await endWithThreads(code);
  process.exit(code);
}
