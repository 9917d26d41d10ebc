import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import Database from 'libsql';
import { backupDatabase } from '../../../engine/embedded/persistence/backup.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildExecutable } from '../cli/executable.ts';
import { startTestEngine } from './support/engine.ts';
import { EngineProcess } from './support/engine-process.ts';
import { onQueue, startTestWorker } from './support/worker.ts';

jest.setTimeout(240_000);

const folder = temporaryFolder();

/** Sends numbered signals to a few runs, one after the other, until it is stopped; tells which were answered. */
function signalling(client: Client): { readonly answered: Set<string>; stop(): Promise<void> } {
  const answered = new Set<string>();
  let isOver = false;
  const stream = async (workflowId: string): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      try {
        await client.workflow.getHandle(workflowId).signal('add', n);
        answered.add(`${workflowId} ${n}`);
      } catch {
        // The engine is being killed.
      }
    }
  };
  const streams = Promise.all(['a', 'b', 'c'].map(stream));
  const stop = async (): Promise<void> => {
    isOver = true;
    await streams;
  };
  return { answered, stop };
}

async function signalsIn(dbPath: string): Promise<Set<string>> {
  const engine = await startTestEngine({ dbPath });
  const found = new Set<string>();
  for (const workflowId of ['a', 'b', 'c']) {
    const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory();
    const signals = (events ?? []).flatMap((event) => event.workflowExecutionSignaledEventAttributes ?? []);
    for (const { input } of signals)
      found.add(`${workflowId} ${Buffer.from(input?.payloads?.[0]?.data ?? []).toString()}`);
    expect(found.size).toBeGreaterThan(0);
  }
  await engine.close();
  return found;
}

test('a copy made while the engine works, and is killed, has all that was answered before it', async () => {
  const executable = await buildExecutable();
  const server = new EngineProcess();
  await server.start();
  const { client, connection } = await server.connect();
  // No worker has a task, so every signal is in the history at once.
  for (const id of ['a', 'b', 'c']) await client.workflow.start('counter', onQueue('nobody', id));
  const signals = signalling(client);
  const copies: { readonly copy: string; readonly before: ReadonlySet<string> }[] = [];
  for (let round = 0; round < 6; round += 1) {
    const copy = join(folder, `copy-${round}.db`);
    const before = new Set(signals.answered);
    const child = spawn(process.execPath, [executable, 'backup', server.dbPath, copy], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    // Every other copy is made while the engine dies, and the one after it of what was left.
    if (round % 2 === 1) await server.restart();
    expect(await ended).toEqual([0, null]);
    copies.push({ copy, before });
  }
  await signals.stop();
  await connection.close();
  await server.close();
  for (const { copy, before } of copies) {
    const found = await signalsIn(copy);
    expect([...before].filter((signal) => !found.has(signal))).toEqual([]);
  }
  expect(copies.at(-1)?.before.size).toBeGreaterThan(10);
});

test('an engine on a copy goes on', async () => {
  const engine = await startTestEngine();
  await engine.client.workflow.start('counter', onQueue('copied', 'run'));
  await engine.client.workflow.getHandle('run').signal('add', 5);
  const copy = join(folder, 'goes-on.db');
  backupDatabase(engine.dbPath, copy);
  await engine.client.workflow.getHandle('run').signal('add', 100);
  await engine.close();
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const other = await startTestEngine({ dbPath: copy });
  const worker = await startTestWorker(other, 'copied');
  const handle = other.client.workflow.getHandle('run');
  await handle.signal('finish');
  expect(await handle.result()).toBe(5);
  await worker.close();
  await other.close();
  const db = new Database(copy);
  expect(db.prepare('PRAGMA auto_vacuum').get()).toMatchObject({ auto_vacuum: 2 });
  db.close();
});

test('what cannot be copied is told, and nothing is left or replaced', () => {
  const path = join(folder, 'some.db');
  const copy = join(folder, 'refused.db');
  expect(() => backupDatabase(path, copy)).toThrow(`${path} is not there`);
  expect(existsSync(path)).toBe(false);
  const db = new Database(path);
  db.exec('CREATE TABLE accounts (a)');
  db.close();
  expect(() => backupDatabase(path, copy)).toThrow("another program's database");
  writeFileSync(path, 'never a database'.repeat(1000));
  expect(() => backupDatabase(path, copy)).toThrow(/file is not a database.*damaged/);
  writeFileSync(copy, 'kept');
  expect(() => backupDatabase(path, copy)).toThrow(`${copy} exists`);
  expect(readFileSync(copy, 'utf8')).toBe('kept');
  expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([]);
});

test('a damaged database makes no copy', async () => {
  const engine = await startTestEngine({ dbPath: join(folder, 'damaged.db') });
  await engine.client.workflow.start('any', onQueue('q', 'w'));
  await engine.close();
  const bytes = readFileSync(engine.dbPath);
  writeFileSync(engine.dbPath, bytes.fill(0xff, 4096 * 2));
  const copy = join(folder, 'of-damaged.db');
  expect(() => backupDatabase(engine.dbPath, copy)).toThrow(/damaged/);
  expect(existsSync(copy)).toBe(false);
});
