import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { EngineUnavailableError } from '../connection/engine-unavailable-error.ts';
import { type Engine, loopbackConnection } from '../connection/engine.ts';
import { findExecutable } from './find-executable.ts';
import { findFreePort } from '../connection/free-port.ts';
import { writeWhole } from '../whole-file.ts';
import { type GuardedChild, spawnGuarded } from './guarded-child.ts';
import { endProcess, processIdentity } from './process-identity.ts';

interface DevServerOptions {
  /** The folder that holds the server's database, its log and the record of its process. */
  readonly dataDir: string;
  /** Default 7233. The next free port is used when it is taken; 0 stands for any. */
  readonly port?: number;
  /** Default `default`. */
  readonly namespace?: string;
  /** The folders to look for `temporal` in, as in the PATH variable, which is the default. */
  readonly path?: string;
  /** How long it may take until the server serves. Default 60 s, because its first start creates the database. */
  readonly startTimeoutMs?: number;
}

const host = '127.0.0.1';
const defaultPort = 7233;

/**
 * Starts the official Temporal CLI's development server, which is durable in `dataDir`, and waits until it serves. It
 * ends when this process does. A server that was left behind all the same is ended at the next start in the same
 * `dataDir`.
 *
 * @throws EngineUnavailableError when there is no `temporal` on the PATH, or it does not serve in time
 */
export async function startDevServer(options: DevServerOptions): Promise<Engine> {
  const { dataDir, namespace = 'default' } = options;
  const cli = await findExecutable('temporal', options.path ?? process.env['PATH'] ?? '');
  if (cli === undefined) {
    throw new EngineUnavailableError(
      'dev-server',
      'the Temporal CLI is not there: no `temporal` on the PATH. ' +
        'Install it (https://docs.temporal.io/cli), or leave ENGINE unset for the embedded engine.',
    );
  }
  await mkdir(dataDir, { recursive: true });
  const recordFile = join(dataDir, 'temporal-dev-server.json');
  const logFile = join(dataDir, 'temporal-dev-server.log');
  await endPreviousServer(recordFile);

  const wanted = options.port ?? defaultPort;
  const port = await findFreePort(host, wanted);
  if (port === undefined) throw new Error(`no free port from ${wanted} on`);
  const address = `${host}:${port}`;
  const args = ['server', 'start-dev', '--headless', '--ip', host, '--port', String(port)];
  args.push('--db-filename', join(dataDir, 'temporal.db'), '--namespace', namespace, '--log-level', 'warn');
  // Each commit is handed to the operating system, and is synced to the disk at checkpoints only.
  args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL');
  const child = await spawnGuarded(cli, args, logFile).catch((error: unknown) => {
    throw new EngineUnavailableError('dev-server', `${cli} could not be started`, { cause: error });
  });
  const stop = async (): Promise<void> => {
    await child.stop();
    await rm(recordFile, { force: true });
  };
  try {
    await writeProcessRecord(recordFile, child.pid);
    await untilServing(child, address, namespace, logFile, options.startTimeoutMs ?? 60_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { kind: 'dev-server', address, namespace, connection: loopbackConnection(address), stop };
}

interface ProcessRecord {
  readonly pid: number;
  readonly identity: string;
}

async function writeProcessRecord(file: string, pid: number): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity !== undefined)
    await writeWhole(file, JSON.stringify({ pid, identity } satisfies ProcessRecord));
}

/** Ends the server that an earlier process left behind, if its process id still means that server. */
async function endPreviousServer(recordFile: string): Promise<void> {
  let record: Partial<ProcessRecord>;
  try {
    record = JSON.parse(await readFile(recordFile, 'utf8')) as Partial<ProcessRecord>;
  } catch {
    return;
  }
  if (typeof record.pid === 'number' && typeof record.identity === 'string') {
    await endProcess(record.pid, record.identity);
  }
  await rm(recordFile, { force: true });
}

async function untilServing(
  child: GuardedChild,
  address: string,
  namespace: string,
  logFile: string,
  timeoutMs: number,
): Promise<void> {
  let ended = false;
  void child.exited.then(() => (ended = true));
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await serves(address, namespace)) return;
    if (ended || Date.now() > deadline) {
      const log = await readFile(logFile, 'utf8').catch(() => '');
      const last = log.trim().split('\n').slice(-5).join('\n');
      const what = ended
        ? 'the Temporal CLI ended at its start'
        : `no answer at ${address} in ${timeoutMs} ms`;
      throw new EngineUnavailableError('dev-server', `${what}; ${logFile} ends with:\n${last}`);
    }
    await sleep(50);
  }
}

async function serves(address: string, namespace: string): Promise<boolean> {
  let connection: Connection;
  try {
    connection = await Connection.connect({ address, connectTimeout: 2000 });
  } catch {
    return false;
  }
  try {
    await connection.withDeadline(Date.now() + 2000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
