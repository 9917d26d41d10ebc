import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildExecutable } from './executable.ts';

/** The commands `export` and `import` as somebody types them. */

jest.setTimeout(120_000);

const folder = temporaryFolder();
let executable: string;
beforeAll(async () => {
  executable = await buildExecutable();
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function command(...args: string[]): Promise<Ended> {
  const { TEMPORAL_ADDRESS: _, ...env } = process.env;
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [executable, ...args], { env })) };
  } catch (error) {
    return error as Ended;
  }
}

async function serving<T>(file: string, use: (address: string) => Promise<T>): Promise<T> {
  const args = [executable, 'server', 'start-dev', '--port', '0', '--db-filename', join(folder, file)];
  const child = spawn(process.execPath, [...args, '--namespace', 'other'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /^Temporal server: (.*)$/.exec(line)?.[1];
      if (address !== undefined) return await use(address);
    }
    throw new Error('the server ended before it was ready');
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

test('runs go from one namespace and service to another', async () => {
  const out = join(folder, 'out');
  await serving('a.db', async (address) => {
    const connection = await Connection.connect({ address });
    const client = new Client({ connection });
    for (const workflowId of ['one', 'two', 'three'])
      await client.workflow.start('any', { workflowId, taskQueue: 'nobody' });
    await client.workflow.getHandle('two').terminate();
    await connection.close();
    const exported = await command('export', out, '--address', address, '--query', "WorkflowId != 'three'");
    expect(exported).toEqual({ code: 0, stdout: `2 runs are in ${out}, 1 of them open\n`, stderr: '' });
  });
  expect(await readdir(out)).toHaveLength(3);
  const { runs } = JSON.parse(await readFile(join(out, 'index.json'), 'utf8')) as { runs: object[] };
  expect(runs).toMatchObject([
    { workflowId: 'one', type: 'any', taskQueue: 'nobody', status: 'RUNNING', closeTime: null, events: 2 },
    { workflowId: 'two', type: 'any', taskQueue: 'nobody', status: 'TERMINATED', events: 3 },
  ]);
  await serving('b.db', async (address) => {
    const imported = await command('import', out, '--address', address, '--namespace', 'other');
    const stdout = '2 runs imported, 0 were there, 0 have expired, 0 were refused\n';
    expect(imported).toEqual({ code: 0, stdout, stderr: '' });
    const connection = await Connection.connect({ address });
    const { workflow } = new Client({ connection, namespace: 'other' });
    const statuses = [await workflow.getHandle('one').describe(), await workflow.getHandle('two').describe()];
    expect(statuses.map(({ status }) => status.name)).toEqual(['RUNNING', 'TERMINATED']);
    await connection.close();
  });
});

test.each([
  [['export'], 2, 'export takes a folder first; see --help'],
  [['import', '--address', 'x'], 2, 'import takes a folder or a file first; see --help'],
  [['export', 'x', '--quarry', 'y'], 2, 'unknown argument "--quarry"; see --help'],
  [['export', 'x', '--address', '127.0.0.1:1'], 1, 'ENGINE=cluster: no answer from 127.0.0.1:1'],
])('%j is refused in a line', async (args, code, message) => {
  const ended = await command(...args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toContain(`steadyhand-temporal: ${message}`);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});
