#!/usr/bin/env node
import { once } from 'node:events';
import process from 'node:process';
import { EngineUnavailableError } from '../connection/engine-unavailable-error.ts';
import { startEmbeddedEngine } from '../embedded/start-embedded-engine.ts';
import { backupCommand } from './backup.ts';
import { CommandLineError } from './command-line-error.ts';
import { readCommandLine } from './command-line.ts';
import { HistoryFileError } from '../histories/history-index.ts';
import { NoImportsError } from '../histories/import-histories.ts';
import { exportCommand, importCommand } from './move-histories.ts';
import { textLogger } from './text-logger.ts';

const USAGE = `usage: steadyhand-temporal server start-dev [flags]
       steadyhand-temporal <port> [--enable-time-skipping]
       steadyhand-temporal export <folder> [--query <query>] [connection flags]
       steadyhand-temporal import <folder or file> [connection flags]
       steadyhand-temporal backup <file> <copy>

The first serves Temporal as "temporal server start-dev" does, and takes its flags:
  -p, --port             the gRPC port, 7233 unless it is said, 0 for any
  -f, --db-filename      where workflows are kept; without it they end with the process
  -n, --namespace        a namespace to make, beside "default"; may be repeated
      --search-attribute NAME=TYPE to register; may be repeated
      --ip               the address to listen on, localhost unless it is said
      --log-level, --log-format, --sqlite-pragma, --dynamic-config-value, --headless
The second is a test server whose time can be skipped, as SDKs start it.
Whoever reaches the port is served: there is no key.
"export" writes the histories of runs of any Temporal service, "import" makes runs of them. Both take the flags --address,
--namespace, --api-key, --tls, --tls-ca-path, --tls-cert-path, --tls-key-path, --tls-server-name and --profile, and Temporal's
environment variables. "backup" copies an engine's file while the engine runs.
`;

/** The commands that end by themselves. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  export: exportCommand,
  import: importCommand,
  backup: backupCommand,
};

async function main(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  const run = COMMANDS[args[0] ?? ''];
  if (run !== undefined) {
    await run(args.slice(1));
    return;
  }
  const command = readCommandLine(args);
  const { host, port, dbPath, namespaces, searchAttributes, synchronous, limits, timeSkipping } = command;
  const logger = textLogger(command.log);
  for (const note of command.notes) logger.info({}, note);
  const engine = await startEmbeddedEngine({
    dbPath,
    host,
    port,
    fallbackToFreePort: false,
    furtherNamespaces: namespaces,
    searchAttributes,
    synchronous,
    limits,
    logger,
    ...(timeSkipping === undefined ? {} : { timeSkipping }),
  });
  // Whoever reads that the server is ready may end it at once, which is then an orderly end, too.
  const told = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  process.stdout.write(`Temporal server: ${engine.address}\n`);
  await told;
  await engine.stop();
}

/** Whether an error says what to do, so that nobody needs its stack. */
const isExpected = (error: Error): boolean =>
  error instanceof EngineUnavailableError ||
  error instanceof HistoryFileError ||
  error instanceof NoImportsError ||
  // A service's refusal has a number.
  ('code' in error && (error.code === 'EADDRINUSE' || typeof error.code === 'number'));

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof CommandLineError;
  if (!(error instanceof Error) || !(isUsage || isExpected(error))) throw error;
  process.stderr.write(`steadyhand-temporal: ${error.message}${isUsage ? '; see --help' : ''}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
