import { spawn } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { build } from 'esbuild';
import { startDevServer } from '../../engine/dev-server/dev-server.ts';
import { EngineUnavailableError } from '../../engine/connection/engine-unavailable-error.ts';
import type { Engine } from '../../engine/connection/engine.ts';
import { spawnGuarded } from '../../engine/dev-server/guarded-child.ts';
import { endProcess, processIdentity } from '../../engine/dev-server/process-identity.ts';
import { ensureSearchAttributes } from '../../engine/search-attributes.ts';
import { until } from './until.ts';
import { folderForEach } from '../support/temporary-folder.ts';

/** A program that runs until it is told to end. */
const idle = ['-e', 'setInterval(() => {}, 1000)'];
const stubborn = ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")'];

const dir = folderForEach();

const isGone = async (pid: number): Promise<boolean> => (await processIdentity(pid)) === undefined;

describe('a guarded child', () => {
  test('ends when asked to', async () => {
    const child = await spawnGuarded(process.execPath, idle, join(dir(), 'log'));
    expect(await isGone(child.pid)).toBe(false);
    await child.stop();
    expect(await isGone(child.pid)).toBe(true);
    await child.stop();
  });

  test('ends when its parent is killed', async () => {
    const outfile = join(dir(), 'guarded-child.cjs');
    await build({
      entryPoints: [join(__dirname, '../../engine/dev-server/guarded-child.ts')],
      bundle: true,
      conditions: ['@steadyhand/source'],
      platform: 'node',
      format: 'cjs',
      outfile,
      logLevel: 'error',
    });
    const script = `
      const { spawnGuarded } = require(process.argv[1]);
      spawnGuarded(process.execPath, ${JSON.stringify(idle)}, process.argv[2]).then((c) => console.log(c.pid));
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', script, outfile, join(dir(), 'log')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
    });
    expect(await isGone(pid)).toBe(false);
    parent.kill('SIGKILL');
    await until(() => isGone(pid));
  });

  test('that cannot be started is an error, one that ends by itself tells its code', async () => {
    await expect(spawnGuarded(join(dir(), 'no-such'), [], join(dir(), 'log'))).rejects.toThrow(
      'could not be started',
    );
    const child = await spawnGuarded(process.execPath, ['-e', 'process.exitCode = 7'], join(dir(), 'log'));
    expect(await child.exited).toBe(7);
  });
});

describe('a leftover process', () => {
  test('is forced to end when it does not do so by itself', async () => {
    const child = spawn(process.execPath, stubborn, { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const pid = child.pid ?? 0;
    await endProcess(pid, (await processIdentity(pid)) ?? '', 200);
    expect(await isGone(pid)).toBe(true);
    expect(child.signalCode ?? 'SIGKILL').toBe('SIGKILL');
  });

  test('is left alone when its number has gone to another process', async () => {
    const child = spawn(process.execPath, idle, { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const identity = await processIdentity(pid);
    expect(identity).toBeDefined();
    await endProcess(pid, `${identity} long ago`, 100);
    expect(await processIdentity(pid)).toBe(identity);
    child.kill('SIGKILL');
    await until(() => isGone(pid));
  });
});

describe('ENGINE=dev-server', () => {
  test('without the CLI on the PATH says what is missing and what to do', async () => {
    const start = startDevServer({ dataDir: dir(), path: dir() });
    await expect(start).rejects.toThrow(EngineUnavailableError);
    await expect(startDevServer({ dataDir: dir(), path: '' })).rejects.toThrow(
      /^ENGINE=dev-server: the Temporal CLI is not there: no `temporal` on the PATH\. Install it/,
    );
  });

  test('with a CLI that gives up shows its last words', async () => {
    const cli = join(dir(), 'temporal');
    await writeFile(cli, '#!/bin/sh\necho "Error: unknown flag: --$2" >&2\nexit 1\n');
    await chmod(cli, 0o755);
    await expect(startDevServer({ dataDir: join(dir(), 'data'), path: dir(), port: 0 })).rejects.toThrow(
      /ended at its start; .*temporal-dev-server\.log ends with:\nError: unknown flag: --start-dev/,
    );
    await expect(stat(join(dir(), 'data', 'temporal-dev-server.json'))).rejects.toThrow('ENOENT');
  });
});

const real = process.env['STEADYHAND_TEST_ENGINE'] === 'dev-server' ? describe : describe.skip;

// Skipped unless STEADYHAND_TEST_ENGINE=dev-server: needs the Temporal CLI on the PATH.
real('the real dev server', () => {
  const describeRun = async (engine: Engine, workflowId: string): Promise<string> => {
    const connection = await Connection.connect(engine.connection);
    const client = new Client({ connection, namespace: engine.namespace });
    const { status } = await client.workflow.getHandle(workflowId).describe();
    await connection.close();
    return status.name;
  };

  const readNote = async (): Promise<{ pid: number }> =>
    JSON.parse(await readFile(join(dir(), 'temporal-dev-server.json'), 'utf8')) as { pid: number };

  test('keeps its runs over a restart, and takes over from one that was left behind', async () => {
    const first = await startDevServer({ dataDir: dir(), port: 0, namespace: 'steady' });
    expect(await ensureSearchAttributes(first, { Mine: 'Keyword' })).toBe(true);
    expect(await ensureSearchAttributes(first, { Mine: 'Int' })).toBe(false);
    const connection = await Connection.connect(first.connection);
    const client = new Client({ connection, namespace: first.namespace });
    await client.workflow.start('never-taken', { taskQueue: 'q', workflowId: 'w' });
    await connection.close();

    // A second server in the same folder stands for the start after a crash that left the first one behind.
    const note = await readNote();
    const second = await startDevServer({ dataDir: dir(), port: 0, namespace: 'steady' });
    expect(await isGone(note.pid)).toBe(true);
    expect(await describeRun(second, 'w')).toBe('RUNNING');
    const later = await readNote();
    await second.stop();
    await first.stop();
    expect(await isGone(later.pid)).toBe(true);
  }, 120_000);
});
