import { closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { errorText } from '../error-fields.ts';
import { newestInstance, runningInstance, takeFolder } from '../instance-lock.ts';
import { layoutOf } from '../layout.ts';
import { Daemon } from './daemon.ts';
import { readTask } from './daemon-task.ts';
import { createDaemonServer, isDamage } from './http/server.ts';
import { closeInheritedFiles } from './inherited-files.ts';
import { interfaceOf } from './daemon-interface.ts';
import { createLog } from '../daemon-log.ts';

/** The descriptor on which the client waits for `ready`, `taken`, `failed <reason>` or `damaged <reason>`. */
const READY_FD = 3;
const OWNER_CHECK_MS = 5_000;

/** The number of checks after which a daemon takes its pool machine's process for gone. */
const MAX_ALONE = 24;

/**
 * `node sandbox-daemon.mjs <folder> <guest entry> [<DaemonPlace as JSON>]`: the daemon of the sandbox in that folder, which is also its working
 * directory, so that its socket has a short name however deep the folder lies.
 */
async function main(args: readonly string[]): Promise<void> {
  closeInheritedFiles();
  const { folder, guestEntry, place } = readTask(args);
  const log = createLog((line) => process.stderr.write(line));
  process.chdir(folder);
  process.umask(0o077);
  const config = readConfig(folder);
  if (config === null) throw new Error(`${join(folder, 'sandbox.json')} does not exist`);
  const instance = takeFolder(folder);
  if (instance === null) return announce('taken');
  process.on('uncaughtException', (error) => {
    log.error('uncaught', { error: error.stack ?? error.message });
    // The ledger is intact whatever failed, and the next daemon starts from it.
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => log.error('unhandled', { error: errorText(reason) }));
  const daemon = await Daemon.start({
    folder,
    config,
    // On a pool machine snapshots go with the sandbox, because the next sandbox may belong to somebody else.
    ...(place === undefined ? {} : { egressWay: place.egressWay, snapshots: layoutOf(folder).snapshots }),
    nodePath: process.execPath,
    guestEntry,
    log,
    onShutdown: () => process.exit(0),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void daemon.shutdown());
  process.on('SIGHUP', () => undefined);
  let alone = 0;
  setInterval(() => {
    alone = place === undefined || runningInstance(place.machine) !== null ? 0 : alone + 1;
    // When the data folder was removed, or its machine's process is gone for good, nobody can reach this daemon any more.
    if (newestInstance(folder)?.number !== instance.number || alone > MAX_ALONE) void daemon.shutdown();
  }, OWNER_CHECK_MS).unref();
  const server = createDaemonServer(interfaceOf(daemon));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(instance.socket, resolve);
  });
  log.info('daemon started', { pid: process.pid, instance: instance.number });
  announce('ready');
}

function announce(word: string): void {
  try {
    writeSync(READY_FD, `${word}\n`);
    closeSync(READY_FD);
  } catch {
    // Nobody waits any more.
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(
    `${JSON.stringify({ level: 'error', msg: 'start failed', error: errorText(error) })}\n`,
  );
  // The client reads one line.
  const reason = errorText(error).replace(/\s*\n\s*/g, ' ');
  announce(`${isDamage(error) ? 'damaged' : 'failed'} ${reason}`);
  process.exit(1);
});
