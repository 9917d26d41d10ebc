import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { IN_THIS_THREAD } from '../../support/temporal-runtime.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildExecutable } from './executable.ts';
import { go, parent, race, retrying, sleeper, waiting } from './workflows/index.ts';

/** The executable as the SDK's own test environments start it. */

jest.setTimeout(120_000);
Runtime.install({ logger: new DefaultLogger('ERROR') });

const DAY = 24 * 3600 * 1000;
const TASK_QUEUE = 'test';
const folder = temporaryFolder();
let executable: { readonly type: 'existing-path'; readonly path: string };
let workflowBundle: { code: string };

beforeAll(async () => {
  executable = { type: 'existing-path', path: await buildExecutable() };
  workflowBundle = await bundleWorkflows(join(__dirname, 'workflows/index.ts'));
});

/** The SDK waits for five seconds, which a busy machine may take to load the program; then it is started again. */
async function started(create: () => Promise<TestWorkflowEnvironment>): Promise<TestWorkflowEnvironment> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create();
    } catch (error) {
      if (attempt === 8 || !String(error).includes('did not start within 5s')) throw error;
    }
  }
}

function testServiceOf({
  connection,
}: TestWorkflowEnvironment): NonNullable<TestWorkflowEnvironment['connection']['testService']> {
  if (connection.testService === undefined) throw new Error('the environment has no test service');
  return connection.testService;
}

describe('createTimeSkipping', () => {
  let env: TestWorkflowEnvironment;
  let worker: Worker;
  let running: Promise<void>;
  let attempts = 0;

  beforeAll(async () => {
    env = await started(() => TestWorkflowEnvironment.createTimeSkipping({ server: { executable } }));
    worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: TASK_QUEUE,
      workflowBundle,
      ...IN_THIS_THREAD,
      activities: {
        longRunning: async () => {
          await env.sleep('1000 s');
          return 'activity';
        },
        flaky: () => {
          attempts += 1;
          if (attempts < 5) throw new Error(`attempt ${attempts}`);
          return Promise.resolve(attempts);
        },
      },
    });
    running = worker.run();
  });

  afterAll(async () => {
    worker.shutdown();
    await running;
    await env.teardown();
  });

  const start = (
    workflow: () => Promise<string | number>,
  ): Promise<WorkflowHandle<() => Promise<string | number>>> =>
    env.client.workflow.start(workflow, { workflowId: randomUUID(), taskQueue: TASK_QUEUE });

  /** How much of the engine's time a run takes, in days. */
  async function daysOf(
    workflow: () => Promise<string | number>,
  ): Promise<{ readonly answer: unknown; readonly days: number }> {
    const before = await env.currentTimeMs();
    const handle = await start(workflow);
    const answer = await handle.result();
    return { answer, days: Math.floor(((await env.currentTimeMs()) - before) / DAY) };
  }

  test('a timer of thirty days is skipped', async () => {
    expect(await daysOf(sleeper)).toEqual({ answer: 'slept', days: 30 });
  });

  test('a child and a timer after it', async () => {
    expect(await daysOf(parent)).toEqual({ answer: 'the child slept', days: 31 });
  });

  test('the back-off of a retried activity is skipped', async () => {
    expect(await daysOf(retrying)).toEqual({ answer: 5, days: 4 });
  });

  test('an activity that sleeps in the environment meets a timer at its time', async () => {
    expect(await (await start(race)).result()).toBe('timer');
  });

  test('time stands still for those who do not wait for a result', async () => {
    const handle = await start(waiting);
    await env.sleep('1 day');
    await handle.signal(go);
    expect(await handle.result()).toBe('signalled');
    const other = await start(waiting);
    await env.sleep('49 hours');
    expect((await other.describe()).status.name).toBe('COMPLETED');
  });

  test('unlocking what nobody has locked is refused', async () => {
    const testService = testServiceOf(env);
    await testService.unlockTimeSkipping({});
    await expect(testService.unlockTimeSkipping({})).rejects.toThrow('Unbalanced lock and unlock calls');
    await testService.lockTimeSkipping({});
  });

  test('sleeping until a time that has passed ends at once', async () => {
    const testService = testServiceOf(env);
    const { time } = await testService.getCurrentTime({});
    await expect(testService.sleepUntil({ timestamp: time ?? null })).resolves.toEqual({});
  });
});

describe('createLocal', () => {
  test('a limit of the dynamic configuration is told and kept', async () => {
    const env = await started(() =>
      TestWorkflowEnvironment.createLocal({
        server: { executable, extraArgs: ['--dynamic-config-value', 'limit.blobSize.error=10240'] },
      }),
    );
    const { namespaceInfo } = await env.connection.workflowService.describeNamespace({
      namespace: 'default',
    });
    expect(Number(namespaceInfo?.limits?.blobSizeLimitError)).toBe(10_240);
    const start = (length: number): Promise<unknown> =>
      env.client.workflow.start('any', {
        workflowId: `of-${length}`,
        taskQueue: TASK_QUEUE,
        args: ['a'.repeat(length)],
      });
    await start(9_000);
    await expect(start(11_000)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('Blob data size exceeds limit.') as string },
    });
    await env.teardown();
  });

  test('namespaces, search attributes and a file that is kept', async () => {
    const customer = defineSearchAttributeKey('Customer', 'KEYWORD');
    const dbFilename = join(folder, 'kept.db');
    const start = (): Promise<TestWorkflowEnvironment> =>
      started(() =>
        TestWorkflowEnvironment.createLocal({
          server: { executable, namespace: 'shop', dbFilename, searchAttributes: [customer] },
        }),
      );
    const env = await start();
    await env.client.workflow.start(waiting, {
      workflowId: 'kept',
      taskQueue: TASK_QUEUE,
      typedSearchAttributes: new TypedSearchAttributes([{ key: customer, value: 'o-1' }]),
    });
    expect(await env.currentTimeMs()).toBeLessThan(Date.now() + DAY);
    await env.teardown();
    const again = await start();
    const found = [];
    for await (const { workflowId } of again.client.workflow.list({ query: "Customer = 'o-1'" }))
      found.push(workflowId);
    expect(found).toEqual(['kept']);
    const worker = await Worker.create({
      connection: again.nativeConnection,
      namespace: 'shop',
      taskQueue: TASK_QUEUE,
      workflowBundle,
      ...IN_THIS_THREAD,
    });
    await worker.runUntil(async () => {
      const handle = again.client.workflow.getHandle<typeof waiting>('kept');
      await handle.signal(go);
      expect(await handle.result()).toBe('signalled');
    });
    await again.teardown();
  });
});

test('a wrong command line ends with one line and 2', async () => {
  const run = promisify(execFile)(executable.path, ['server', 'start-dev', '--port', 'x']);
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: 'steadyhand-temporal: --port takes a number from 0 to 65535, not "x"; see --help\n',
  });
});
