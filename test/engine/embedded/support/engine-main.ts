import { startEmbeddedEngine } from '../../../../engine/embedded/start-embedded-engine.ts';

/** An engine in a process of its own, for tests that kill it. argv: database, port. */
const [dbPath = '', port = '0'] = process.argv.slice(2);
const write = (details: object, message: string): void => {
  process.stderr.write(`${message} ${JSON.stringify(details)}\n`);
};
const quiet = (): void => undefined;

const engine = await startEmbeddedEngine({
  dbPath,
  port: Number(port),
  fallbackToFreePort: false,
  logger: { debug: quiet, info: quiet, warn: write, error: write },
});
process.stdout.write(`READY ${engine.address}\n`);
