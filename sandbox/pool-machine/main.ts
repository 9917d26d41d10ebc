import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeInheritedFiles } from '../daemon/inherited-files.ts';
import { createLog } from '../daemon-log.ts';
import { errorText } from '../error-fields.ts';
import { takeFolder } from '../instance-lock.ts';
import { Announcer } from './announcer.ts';
import { PoolMachine } from './pool-machine.ts';
import { servePoolMachine } from './server.ts';
import { readSettings } from './settings.ts';

/**
 * `node sandbox-member.mjs`: offers this machine or container to the server for sandboxes; `settings.ts` describes its
 * variables. In a container it ends with code 0 when its sandbox was deleted: its supervisor has to start it again for
 * the next sandbox, which then finds nothing of the old one in memory. SIGTERM drains it: it takes no new sandbox, and
 * ends when those that it has are gone or the time for that is over.
 */
async function main(): Promise<void> {
  const log = createLog((line) => process.stderr.write(line));
  const { dir, isolation, capacity, spares, drainMs, egressWay, listen, server, host } = readSettings(
    process.env,
  );
  // The guest must not find the token in this process's environment, whichever user it runs as.
  const token = 'token' in listen ? listen.token : null;
  delete process.env['SANDBOX_POOL_TOKEN'];
  closeInheritedFiles();
  process.umask(0o077);
  process.on('uncaughtException', (error) => {
    log.error('uncaught', { error: error.stack ?? error.message });
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => log.error('unhandled', { error: errorText(reason) }));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  process.chdir(dir);
  if (takeFolder(dir) === null) throw new Error(`another member runs on ${dir}`);
  const end = (): never => process.exit(0);
  const built = (name: string): string => join(dirname(fileURLToPath(import.meta.url)), name);
  const machine = await PoolMachine.open({
    dir,
    isolation,
    capacity,
    spares,
    egressWay,
    nodePath: process.execPath,
    daemonEntry: built('sandbox-daemon.mjs'),
    guestEntry: built('sandbox-guest.cjs'),
    log,
  });
  const leave = (): void => {
    void machine.stop().then(end);
    // The servers learn at once that the machine takes nothing more.
    announcer?.now();
  };
  const leaveIfEmpty = (): void => {
    const { draining, sandboxes } = machine.state;
    if (draining && sandboxes.length === 0) leave();
  };
  process.once('SIGINT', leave);
  process.once('SIGTERM', () => {
    machine.drain();
    process.once('SIGTERM', leave);
    setTimeout(leave, drainMs);
  });
  const port = await servePoolMachine(machine, listen, () => {
    // Files and memory of the agent that lie outside its home go with the container.
    if (isolation === 'container') end();
  });
  process.stdout.write(`${JSON.stringify({ ready: true, port, member: machine.state.member })}\n`);
  let announcer: Announcer | null = null;
  machine.onChange(() => {
    announcer?.now();
    leaveIfEmpty();
  });
  await machine.resume();
  if (server === null || token === null) return;
  announcer = new Announcer({
    server,
    token,
    log,
    registration: () => ({ ...machine.state, address: { host, port } }),
  });
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${JSON.stringify({ level: 'error', msg: 'start failed', error: errorText(error) })}\n`,
  );
  process.exit(1);
});
