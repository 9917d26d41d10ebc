import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowNotFoundError } from '@temporalio/client';
import Database from 'libsql';
import { until } from '../until.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { type TestWorker, startTestWorker } from './support/worker.ts';

const DAY_MS = 86_400_000;
const taskQueue = 'retention';
const namespace = 'default';

let folder: string;
let engine: TestEngine;
let worker: TestWorker | undefined;
let ahead = 0;

const start = async (): Promise<void> => {
  engine = await startTestEngine({
    dbPath: join(folder, 'engine.db'),
    now: () => Date.now() + ahead,
    limits: { retentionSweepMs: 20, continueAsNewSpacingMs: 0 },
  });
  worker = await startTestWorker(engine, taskQueue);
};
const stop = async (): Promise<void> => {
  await worker?.close();
  await engine.close();
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'retention-'));
  ahead = 0;
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const counter = (workflowId: string, options: object = {}) =>
  engine.client.workflow.start('counter', { taskQueue, workflowId, ...options });
const ended = async (workflowId: string): Promise<string> => {
  const handle = await counter(workflowId);
  await handle.signal('finish');
  await handle.result();
  return handle.firstExecutionRunId;
};
const isThere = async (workflowId: string, runId?: string): Promise<boolean> => {
  try {
    await engine.client.workflow.getHandle(workflowId, runId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};
const gone = (workflowId: string, runId?: string): Promise<void> =>
  until(async () => !(await isThere(workflowId, runId)));
const rows = (table: string): number => {
  const db = new Database(join(folder, 'engine.db'), { readonly: true });
  const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number };
  db.close();
  return n;
};

test('a closed run goes with all that belongs to it once its retention is over, an open one stays', async () => {
  const open = await counter('open');
  await ended('closed');
  ahead = DAY_MS - 60_000;
  await ended('later');
  expect(await isThere('closed')).toBe(true);
  ahead = DAY_MS + 60_000;
  await gone('closed');
  const { workflowService } = engine.connection;
  const execution = { workflowId: 'closed' };
  await expect(workflowService.getWorkflowExecutionHistory({ namespace, execution })).rejects.toThrow(
    /NOT_FOUND: workflow not found for ID: closed/,
  );
  const { executions } = await workflowService.listWorkflowExecutions({ namespace });
  expect(new Set(executions.map((one) => one.execution?.workflowId))).toEqual(new Set(['later', 'open']));
  expect([rows('runs'), rows('current_runs'), rows('visibility')]).toEqual([2, 2, 2]);
  await open.signal('finish');
  await open.result();
});

test('an id whose run was removed is free again, whatever the reuse policy', async () => {
  await ended('unique');
  const again = { workflowIdReusePolicy: 'REJECT_DUPLICATE' };
  await expect(counter('unique', again)).rejects.toThrow(/already started/i);
  ahead = DAY_MS + 60_000;
  await gone('unique');
  const handle = await counter('unique', again);
  await handle.signal('finish');
  await handle.result();
});

test('of several runs of one id, those whose time is over go, and the newest stays the current one', async () => {
  const first = await ended('chain');
  ahead = DAY_MS / 2;
  const second = await ended('chain');
  ahead = DAY_MS + 60_000;
  await gone('chain', first);
  expect((await engine.client.workflow.getHandle('chain').describe()).runId).toBe(second);
  ahead = 2 * DAY_MS;
  await gone('chain');
});

test('the retention is told and changed by the namespace’s own calls, and outlives a restart', async () => {
  const { workflowService } = engine.connection;
  const retention = (days: number) => ({ seconds: days * 86_400, nanos: 0 });
  await workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: retention(3) as never },
  });
  const { config } = await workflowService.describeNamespace({ namespace });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(3 * 86_400);
  await ended('kept');
  ahead = 2 * DAY_MS;
  await ended('marker');
  expect(await isThere('kept')).toBe(true);
  await stop();
  await start();
  ahead = 3 * DAY_MS + 60_000;
  await gone('kept');
  expect(await isThere('marker')).toBe(true);
  const none = { workflowExecutionRetentionTtl: retention(0) as never };
  const refused = engine.connection.workflowService.updateNamespace({ namespace, config: none });
  await expect(refused).rejects.toThrow(/A valid retention period is not set/);
});

test('what was closed before the engine ended is removed at its next start', async () => {
  await ended('before');
  await stop();
  ahead = DAY_MS + 60_000;
  await start();
  await gone('before');
  expect(rows('runs')).toBe(0);
});

test('a run is removed whole or not at all: a copy of the files at any moment has no part of one', async () => {
  for (let n = 0; n < 60; n++) await ended(`w${n}`);
  ahead = DAY_MS + 60_000;
  const seen: number[] = [];
  await until(async () => {
    const copy = mkdtempSync(join(folder, 'copy-'));
    for (const suffix of ['', '-wal'])
      cpSync(join(folder, `engine.db${suffix}`), join(copy, `engine.db${suffix}`));
    const db = new Database(join(copy, 'engine.db'));
    const count = (sql: string): number => (db.prepare(sql).get() as { n: number }).n;
    expect(count('SELECT count(DISTINCT run_key) AS n FROM history')).toBe(
      count('SELECT count(*) AS n FROM runs'),
    );
    expect(count('SELECT count(*) AS n FROM visibility')).toBe(count('SELECT count(*) AS n FROM runs'));
    seen.push(count('SELECT count(*) AS n FROM runs'));
    db.close();
    return seen.at(-1) === 0;
  });
});

test('the file gives back what was removed', async () => {
  const size = (): number => statSync(join(folder, 'engine.db')).size;
  const note = 'x'.repeat(200_000);
  for (let n = 0; n < 40; n++) {
    const handle = await counter(`big${n}`, { args: [note], taskQueue: 'nobody' });
    await handle.terminate();
  }
  await stop();
  const full = size();
  expect(full).toBeGreaterThan(7_000_000);
  ahead = DAY_MS + 60_000;
  await start();
  await until(async () => size() < full / 4);
});
