#!/usr/bin/env node
import { once } from 'node:events';
import process from 'node:process';
import { EngineUnavailableError } from '../connection/engine-unavailable-error.ts';
import { startEmbeddedEngine } from '../embedded/start-embedded-engine.ts';
import { CommandLineError } from './command-line-error.ts';
import { readCommandLine } from './command-line.ts';
import { textLogger } from './text-logger.ts';

const USAGE = `usage: steadyhand-temporal server start-dev [flags]
       steadyhand-temporal <port> [--enable-time-skipping]

The first serves Temporal as "temporal server start-dev" does, and takes its flags:
  -p, --port             the gRPC port, 7233 unless it is said, 0 for any
  -f, --db-filename      where workflows are kept; without it they end with the process
  -n, --namespace        a namespace to make, beside "default"; may be repeated
      --search-attribute NAME=TYPE to register; may be repeated
      --ip               the address to listen on, localhost unless it is said
      --log-level, --log-format, --sqlite-pragma, --dynamic-config-value, --headless
The second is a test server whose time can be skipped, as SDKs start it.
Whoever reaches the port is served: there is no key.
`;

async function main(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  const command = readCommandLine(args);
  const { host, port, dbPath, namespaces, searchAttributes, synchronous, timeSkipping } = command;
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
  error instanceof EngineUnavailableError || ('code' in error && error.code === 'EADDRINUSE');

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof CommandLineError;
  if (!(error instanceof Error) || !(isUsage || isExpected(error))) throw error;
  process.stderr.write(`steadyhand-temporal: ${error.message}${isUsage ? '; see --help' : ''}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
