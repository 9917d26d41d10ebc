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
 * `node sandbox-member.mjs`: offers this machine or container to the server for one sandbox at a time; `settings.ts`
 * describes its variables. It ends with code 0 when its sandbox was deleted; its supervisor has to start it again for
 * the next sandbox.
 */
async function main(): Promise<void> {
  const log = createLog((line) => process.stderr.write(line));
  const { dir, isolation, egressWay, listen, server, host } = readSettings(process.env);
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
  const member = await PoolMachine.open({
    dir,
    isolation,
    egressWay,
    nodePath: process.execPath,
    guestEntry: join(dirname(fileURLToPath(import.meta.url)), 'sandbox-guest.cjs'),
    log,
    onEnd: end,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void member.stop().then(end));
  const port = await servePoolMachine(member, listen, end);
  process.stdout.write(
    `${JSON.stringify({ ready: true, port, member: member.state.member, sandbox: member.state.sandbox })}\n`,
  );
  await member.resume().catch((error: unknown) => log.error('sandbox', { error: errorText(error) }));
  if (server === null || token === null) return;
  const announcer = new Announcer({
    server,
    token,
    log,
    registration: () => ({ ...member.state, address: { host, port } }),
  });
  member.onChange(() => announcer.now());
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${JSON.stringify({ level: 'error', msg: 'start failed', error: errorText(error) })}\n`,
  );
  process.exit(1);
});
