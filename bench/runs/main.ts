import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Connection } from '@temporalio/client';
import { startEngine } from '../../engine/index.ts';
import { quantile, round3, writeResult } from '../lib/figures.ts';
import { activityCommand, pollWorkflow, timerCommand } from '../pending/raw-run.ts';

/**
 * Many runs of one engine: from a start to the first task in a worker's hands; what open runs that wait for timers take while
 * nothing happens; how long a page of closed runs takes, by query. Clients and worker are played by hand over gRPC.
 */
const { values } = parseArgs({
  options: {
    closed: { type: 'string', default: '10000' },
    open: { type: 'string', default: '1000' },
    starts: { type: 'string', default: '200' },
    'idle-seconds': { type: 'string', default: '20' },
  },
});
const NAMESPACE = 'default';
const PAGE = 100;
const LANES = 20;
const goals = { firstTaskMs: 10, pageMs: 20, idleMsPerSecond: 1 };

const folder = mkdtempSync(join(tmpdir(), 'bench-runs-'));
const engine = await startEngine({ kind: 'embedded', dataDir: folder, port: 0 });
const connection = await Connection.connect(engine.connection);
const { workflowService } = connection;

try {
  const firstTask = await startsToFirstTasks(Number(values.starts));
  await eachOf(Number(values.open), openRun);
  await pause(2000);
  const idle = await idleCpu(Number(values['idle-seconds']));
  await eachOf(Number(values.closed), closedRun);
  const pages: Record<string, { pages: number; p50: number; p95: number; max: number }> = {};
  for (const query of [
    '',
    "ExecutionStatus = 'Terminated'",
    "ExecutionStatus != 'Running' AND WorkflowType = 'type 3'",
    "WorkflowId STARTS_WITH 'closed 77'",
    "WorkflowId = 'closed 7777'",
    "CloseTime > '2026-01-01T00:00:00Z' AND TaskQueue = 'nobody'",
    "WorkflowType = 'none'",
  ]) {
    pages[query === '' ? 'all' : query] = await listing(query);
  }
  console.log({ firstTask, idle });
  console.table(pages);
  const slowest = Math.max(...Object.values(pages).map(({ p95 }) => p95));
  writeResult('runs', {
    node: process.version,
    cpus: cpus().length,
    load: round3(loadavg()[0] ?? 0),
    firstTask,
    idle,
    pages,
    goals,
  });
  const isReached =
    firstTask.p50 <= goals.firstTaskMs &&
    slowest <= goals.pageMs &&
    idle.msPerSecond <= goals.idleMsPerSecond;
  if (!isReached) process.exitCode = 1;
} finally {
  await connection.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function start(workflowId: string, queue: string, type: string): Promise<void> {
  await workflowService.startWorkflowExecution({
    namespace: NAMESPACE,
    workflowId,
    requestId: workflowId,
    workflowType: { name: type },
    taskQueue: { name: queue },
  });
}

async function startsToFirstTasks(count: number): Promise<{ p50: number; p95: number }> {
  const samples: number[] = [];
  for (let index = -20; index < count; index += 1) {
    const task = pollWorkflow(connection, 'first');
    await pause(5);
    const begun = performance.now();
    const [{ taskToken }] = await Promise.all([task, start(`first ${index}`, 'first', 'first')]);
    if (index >= 0) samples.push(performance.now() - begun);
    await workflowService.respondWorkflowTaskCompleted({
      namespace: NAMESPACE,
      taskToken,
      commands: [timerCommand('t'), activityCommand('a', 'nobody')],
    });
  }
  return { p50: round3(quantile(samples, 0.5)), p95: round3(quantile(samples, 0.95)) };
}

/** A run that waits for a timer of a day. */
async function openRun(index: number): Promise<void> {
  await start(`open ${index}`, 'open', 'open');
  const { taskToken } = await pollWorkflow(connection, 'open');
  await workflowService.respondWorkflowTaskCompleted({
    namespace: NAMESPACE,
    taskToken,
    commands: [timerCommand('t')],
  });
}

async function closedRun(index: number): Promise<void> {
  const workflowId = `closed ${index}`;
  await start(workflowId, 'nobody', `type ${index % 10}`);
  await workflowService.terminateWorkflowExecution({
    namespace: NAMESPACE,
    workflowExecution: { workflowId },
  });
}

/** Calls for each index, some at a time. */
async function eachOf(count: number, call: (index: number) => Promise<void>): Promise<void> {
  const lane = async (from: number): Promise<void> => {
    for (let index = from; index < count; index += LANES) await call(index);
  };
  await Promise.all(Array.from({ length: LANES }, (_, from) => lane(from)));
}

async function idleCpu(seconds: number): Promise<{ runs: number; msPerSecond: number }> {
  const before = process.cpuUsage();
  await pause(seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  return { runs: Number(values.open), msPerSecond: round3((user + system) / 1000 / seconds) };
}

async function listing(query: string): Promise<{ pages: number; p50: number; p95: number; max: number }> {
  const samples: number[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const begun = performance.now();
    const answer = await workflowService.listWorkflowExecutions({
      namespace: NAMESPACE,
      query,
      pageSize: PAGE,
      ...(nextPageToken && { nextPageToken }),
    });
    samples.push(performance.now() - begun);
    ({ nextPageToken } = answer);
  } while (nextPageToken?.length);
  const at = (q: number): number => round3(quantile(samples, q));
  return { pages: samples.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
