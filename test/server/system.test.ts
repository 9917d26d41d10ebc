import os from 'node:os';
import { ApiError } from '@steadyhand/contracts';
import { createWorkflowService, type WorkflowServiceOptions } from '../../temporal/index.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import { problemsOf, statusOf } from '../../server/routes/system/problems.ts';
import type { System } from '../../server/routes/system/shapes.ts';
import { startTestEngine } from '../support/engine.ts';
import { openedForAll } from '../support/opened.ts';
import { connectTemporal } from '../support/temporal.ts';
import { ask, noSandboxes, startServer, stopServers } from './harness.ts';

/** The state of all parts, and what is said to be wrong. */

afterEach(stopServers);

const POOL = { members: 2, away: 0, draining: 0, places: 2, used: 2, free: 0, waiting: 0, lost: 0 };

const WELL: Parameters<typeof problemsOf>[0] = {
  process: {
    version: '1.2.3',
    role: 'all',
    node: 'v24.0.0',
    platform: 'linux x64',
    started_at: '2026-11-22T10:00:00Z',
    cpus: 2,
    load: 0.5,
    memory: { process_bytes: 1, heap_bytes: 1, free_bytes: 900, total_bytes: 1000 },
  },
  engine: {
    kind: 'embedded',
    address: '127.0.0.1:7233',
    namespace: 'default',
    reachable: true,
    reason: null,
    server_version: '1.0.0',
    running_workflows: 3,
    queues: [{ name: 'steadyhand', workflow_pollers: 1, activity_pollers: 1, backlog: 2, oldest_ms: 20 }],
  },
  store: {
    status: 'ok',
    reason: null,
    broken_sessions: 0,
    folder: '/data',
    size_bytes: 1,
    measured_at: '2026-11-22T10:00:00Z',
    sweep: { last_at: '2026-11-22T10:00:00Z', took_ms: 3, next_at: '2026-11-22T11:00:00Z', failure: null },
  },
  disks: [{ name: 'Data', folder: '/data', free_bytes: 50 * 1024 ** 3, total_bytes: 100 * 1024 ** 3 }],
  sandboxes: {
    available: true,
    isolation: 'bubblewrap',
    reason: null,
    counts: { waiting: 0, starting: 0, running: 1, stopped: 0, failed: 0, lost: 0 },
    pool: POOL,
  },
  inference: { ready: true, models: [{ name: 'ocr', state: 'ready', reason: null }] },
  providers: [{ name: 'script', state: 'unknown', reason: null }],
};

test('nothing is wrong where all is well', () => {
  expect(problemsOf(WELL)).toEqual([]);
  expect(statusOf([])).toBe('ok');
});

const queue = (change: object): object => ({
  engine: { ...WELL.engine, queues: [{ ...WELL.engine.queues[0], ...change }] },
});
const pool = (change: object, more: object = {}): object => ({
  sandboxes: {
    ...WELL.sandboxes,
    ...more,
    pool: { ...POOL, ...change },
  },
});

test.each<[string, object, string, string, RegExp]>([
  [
    'an engine that is away',
    { engine: { ...WELL.engine, reachable: false, reason: 'refused' } },
    'engine',
    'error',
    /does not answer: refused/,
  ],
  [
    'a queue without workers',
    queue({ activity_pollers: 0 }),
    'engine',
    'error',
    /No worker polls the task queue steadyhand/,
  ],
  ['a task that waits', queue({ oldest_ms: 90_000 }), 'engine', 'warning', /waited .* for 90 seconds/],
  [
    'a full disk',
    { store: { ...WELL.store, status: 'full', reason: 'no room' } },
    'store',
    'error',
    /takes nothing new: no room/,
  ],
  [
    'damaged logs',
    { store: { ...WELL.store, broken_sessions: 2 } },
    'store',
    'warning',
    /2 sessions are damaged/,
  ],
  [
    'a failed sweep',
    { store: { ...WELL.store, sweep: { ...WELL.store.sweep, failure: 'EIO' } } },
    'store',
    'warning',
    /cleared away: EIO/,
  ],
  [
    'little room',
    { disks: [{ ...WELL.disks[0], free_bytes: 1024 ** 3 }] },
    'disk',
    'warning',
    /\/data has only 1024 MiB left/,
  ],
  [
    'no desktop',
    { sandboxes: { ...WELL.sandboxes, available: false, reason: 'no bwrap' } },
    'sandboxes',
    'warning',
    /no desktop for agents \(no bwrap\)/,
  ],
  [
    'a broken sandbox',
    { sandboxes: { ...WELL.sandboxes, counts: { starting: 0, running: 0, stopped: 0, failed: 1 } } },
    'sandboxes',
    'warning',
    /One sandbox does not start/,
  ],
  [
    'a queue for machines',
    pool({ waiting: 3 }),
    'sandboxes',
    'warning',
    /3 sandboxes wait for a place on a machine/,
  ],
  [
    'an empty pool',
    pool({ members: 0, used: 0 }, { isolation: 'remote' }),
    'sandboxes',
    'error',
    /No machine of the sandbox pool/,
  ],
  [
    'a refused model',
    { inference: { ready: true, models: [{ name: 'yolo', state: 'refused', reason: 'bad' }] } },
    'inference',
    'warning',
    /yolo was refused: bad/,
  ],
  [
    'a failing provider',
    { providers: [{ name: 'claude', state: 'failing', reason: 'down' }] },
    'providers',
    'warning',
    /claude fails: down/,
  ],
  [
    'little memory',
    { process: { ...WELL.process, memory: { ...WELL.process.memory, free_bytes: 10 } } },
    'memory',
    'warning',
    /MiB of memory left/,
  ],
])('%s is told, with what to do', (_name, change, part, level, text) => {
  const problems = problemsOf({ ...WELL, ...change });
  expect(problems).toMatchObject([{ part, level, text: expect.stringMatching(text) as unknown }]);
  expect(problems[0]?.advice).toMatch(/^[A-Z].*\.$/);
  expect(statusOf(problems)).toBe(level);
});

test('errors stand before warnings', () => {
  const problems = problemsOf({
    ...WELL,
    disks: [{ name: 'Data', folder: '/data', free_bytes: 1, total_bytes: 2 }],
    sandboxes: {
      ...WELL.sandboxes,
      isolation: 'remote',
      pool: { ...POOL, members: 0, places: 0, used: 0, away: 1 },
    },
  });
  expect(problems.map(({ level }) => level)).toEqual(['error', 'warning']);
});

describe('the route', () => {
  const engine = openedForAll(
    () => startTestEngine(),
    (it) => it.stop(),
    120_000,
  );
  const temporal = openedForAll(
    () => connectTemporal(engine.connection),
    (it) => it.close(),
    120_000,
  );
  const workflows = (): ReturnType<typeof createWorkflowService> =>
    createWorkflowService({
      connection: temporal.client.connection as WorkflowServiceOptions['connection'],
      namespace: 'default',
      engine: 'embedded',
      scrub: (text) => text,
      machines: async () => await Promise.resolve({}),
    });
  const read = async (url: string, headers: Record<string, string> = {}): Promise<System> =>
    (await ask(`${url}/v1/system`, { headers })).body as unknown as System;

  test('asks the real engine, counts sandboxes and tells of this process', async () => {
    const { url } = await startServer({
      workflows: workflows(),
      sandboxes: {
        ...noSandboxes,
        list: async () => [{ status: 'running' }, { status: 'stopped' }] as never,
      },
      system: {
        read: async () => ({
          role: 'all',
          queues: ['nobody-polls'],
          store: { folder: '/data', size_bytes: 5, measured_at: null, sweep: null },
          disks: [],
        }),
      },
    });
    const told = await read(url);
    expect(told.engine).toMatchObject({
      reachable: true,
      running_workflows: 0,
      queues: [{ name: 'nobody-polls', workflow_pollers: 0, activity_pollers: 0 }],
    });
    expect(told.sandboxes).toMatchObject({
      available: false,
      counts: { running: 1, stopped: 1 },
      pool: null,
    });
    expect(told.store).toMatchObject({ status: 'ok', size_bytes: 5 });
    expect(told.process).toMatchObject({ version: '1.2.3', node: process.version });
    expect(told.process.memory.total_bytes).toBe(os.totalmem());
    expect(told.status).toBe('error');
    expect(told.problems[0]?.text).toBe('No worker polls the task queue nobody-polls');
  });

  test('a part that does not answer is told as that', async () => {
    const { url } = await startServer({
      sandboxes: { ...noSandboxes, list: () => Promise.reject(new ApiError('api_error', 'away')) },
    });
    const told = await read(url);
    expect(told.engine).toMatchObject({ reachable: false, reason: 'Workflow not found' });
    expect(told.sandboxes.counts).toBeNull();
  });

  test('a key that may not read workflows is not told how many run; without a key there is nothing', async () => {
    const { url } = await startServer({
      workflows: workflows(),
      access: { kind: 'keys', keys: [clientKey('sk-alice-0123456789', 'alice')] },
    });
    const told = await read(url, { 'x-api-key': 'sk-alice-0123456789' });
    expect(told.engine).toMatchObject({ reachable: true, running_workflows: null });
    expect((await ask(`${url}/v1/system`)).status).toBe(401);
  });
});
