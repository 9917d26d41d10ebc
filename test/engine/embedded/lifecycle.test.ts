import { randomUUID } from 'node:crypto';
import { Connection, WorkflowContinuedAsNewError, WorkflowFailedError } from '@temporalio/client';
import {
  RetryState,
  UpdateWorkflowExecutionLifecycleStage,
  WorkflowIdConflictPolicy,
} from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { startTestEngine } from './support/engine.ts';
import { expectReplays, startTestWorker, replayAll, onQueue } from './support/worker.ts';
import { openedForAll } from '../../support/opened.ts';

const taskQueue = 'lifecycle';
const namespace = 'default';

const engine = openedForAll(startTestEngine);
openedForAll(() => startTestWorker(engine, taskQueue));

const counter = (workflowId: string, options: object = {}) =>
  engine.client.workflow.start('counter', { taskQueue, workflowId, ...options });
const statusOf = async (workflowId: string, runId?: string): Promise<string> =>
  (await engine.client.workflow.getHandle(workflowId, runId).describe()).status.name;

describe('one id, several starts', () => {
  test('the same request twice is one run', async () => {
    const start = {
      namespace,
      workflowId: 'request',
      workflowType: { name: 'counter' },
      taskQueue: { name: taskQueue },
      requestId: randomUUID(),
    };
    const { workflowService } = engine.connection;
    const first = await workflowService.startWorkflowExecution(start);
    const second = await workflowService.startWorkflowExecution(start);
    expect(second).toMatchObject({ runId: first.runId, started: true });
  });

  test('an open run is used, refused or ended as the conflict policy says', async () => {
    const first = await counter('conflict');
    const used = await counter('conflict', { workflowIdConflictPolicy: 'USE_EXISTING' });
    expect(used.firstExecutionRunId).toBe(first.firstExecutionRunId);
    await expect(counter('conflict')).rejects.toThrow(/already started/i);
    const next = await counter('conflict', { workflowIdConflictPolicy: 'TERMINATE_EXISTING' });
    expect(next.firstExecutionRunId).not.toBe(first.firstExecutionRunId);
    expect(await statusOf('conflict', first.firstExecutionRunId)).toBe('TERMINATED');
  });

  test('a closed run may be followed as the reuse policy says', async () => {
    const first = await counter('reuse');
    await first.signal('finish');
    await first.result();
    await expect(counter('reuse', { workflowIdReusePolicy: 'REJECT_DUPLICATE' })).rejects.toThrow(
      /already started/i,
    );
    await expect(counter('reuse', { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' })).rejects.toThrow(
      /already started/i,
    );
    const second = await counter('reuse');
    await second.terminate();
    await counter('reuse', { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' });
  });

  test('signalWithStart starts once and signals every time; a signal is taken once for each request', async () => {
    const signalWithStart = () =>
      engine.client.workflow.signalWithStart('counter', {
        taskQueue,
        workflowId: 'signal-with-start',
        signal: 'add',
        signalArgs: [1],
      });
    const first = await signalWithStart();
    const second = await signalWithStart();
    expect(second.signaledRunId).toBe(first.signaledRunId);
    const requestId = randomUUID();
    for (let i = 0; i < 2; i++) {
      await engine.connection.workflowService.signalWorkflowExecution({
        namespace,
        workflowExecution: { workflowId: 'signal-with-start' },
        signalName: 'add',
        requestId,
        input: {
          payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') }],
        },
      });
    }
    await first.signal('finish');
    expect(await first.result()).toBe(3);
    await expectReplays(engine.client, 'signal-with-start');
  });
});

test('an update beyond the limit is refused, also together with a start', async () => {
  const { workflowService } = engine.connection;
  const operations = (updates: number) =>
    Array.from({ length: updates }, (_, i) => ({ meta: { updateId: `u${i}` }, input: { name: 'bump' } }));
  await engine.client.workflow.start('counter', { taskQueue: 'nobody', workflowId: 'full' });
  const fill = operations(10).map((request) =>
    workflowService.updateWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: 'full' },
      request,
      waitPolicy: {
        lifecycleStage:
          UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_UNSPECIFIED,
      },
    }),
  );
  await Promise.all(fill);
  const once = await Connection.connect({ ...engine.engine.connection, interceptors: [] });
  const refused = once.workflowService.executeMultiOperation({
    namespace,
    operations: [
      {
        startWorkflow: {
          namespace,
          workflowId: 'full',
          workflowType: { name: 'counter' },
          taskQueue: { name: 'nobody' },
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
        },
      },
      {
        updateWorkflow: {
          namespace,
          workflowExecution: { workflowId: 'full' },
          request: { meta: { updateId: 'one-too-many' }, input: { name: 'bump' } },
        },
      },
    ],
  });
  await expect(refused).rejects.toMatchObject({ code: 8 });
  await once.close();
  const handle = engine.client.workflow.getHandle('full');
  await handle.terminate();
  expect(await statusOf('full')).toBe('TERMINATED');
});

describe('times', () => {
  test('a delayed start has no task before its time', async () => {
    const before = Date.now();
    const handle = await engine.client.workflow.start('empty', {
      taskQueue,
      workflowId: 'delayed',
      startDelay: 700,
    });
    await handle.result();
    expect(Date.now() - before).toBeGreaterThanOrEqual(690);
    await expectReplays(engine.client, 'delayed');
  });

  test.each([
    [
      'an update',
      async (id: string) => await engine.client.workflow.getHandle(id).executeUpdate('bump', { args: [1] }),
    ],
    ['a cancellation', async (id: string) => await engine.client.workflow.getHandle(id).cancel()],
    [
      'a signal with start',
      async (workflowId: string) =>
        await engine.client.workflow.signalWithStart('counter', {
          taskQueue,
          workflowId,
          signal: 'add',
          signalArgs: [1],
        }),
    ],
  ])('%s ends the delay of a start', async (what, end) => {
    const id = `delayed, ended by ${what}`;
    const handle = await engine.client.workflow.start('counter', {
      taskQueue,
      workflowId: id,
      startDelay: '1h',
    });
    await handle.signal('add', 1);
    const tasks = async (): Promise<number> =>
      (await handle.fetchHistory()).events?.filter((event) => event.workflowTaskScheduledEventAttributes)
        .length ?? 0;
    expect(await tasks()).toBe(0);
    await end(id);
    await until(async () => (await tasks()) > 0);
    if (what !== 'a cancellation') await handle.terminate();
    await expectReplays(engine.client, id);
  });

  test('timeouts that were not set are not described', async () => {
    const handle = await counter('no-timeouts', { workflowRunTimeout: 60_000 });
    const { executionConfig } = (await handle.describe()).raw;
    expect(executionConfig?.workflowExecutionTimeout).toBeNull();
    expect(Number(executionConfig?.workflowRunTimeout?.seconds)).toBe(60);
    await handle.terminate();
  });

  test('run and execution timeouts end a run', async () => {
    const byRun = await counter('run-timeout', { workflowRunTimeout: 1000 });
    const byExecution = await counter('execution-timeout', { workflowExecutionTimeout: 1000 });
    await expect(byRun.result()).rejects.toThrow(WorkflowFailedError);
    await expect(byExecution.result()).rejects.toThrow(WorkflowFailedError);
    expect(await statusOf('run-timeout')).toBe('TIMED_OUT');
    const { events } = await byExecution.fetchHistory();
    expect(events?.at(-1)?.workflowExecutionTimedOutEventAttributes?.retryState).toBe(
      RetryState.RETRY_STATE_TIMEOUT,
    );
  });

  test('a timer of months is set, described and cancelled', async () => {
    const handle = await engine.client.workflow.start(
      'sleeper',
      onQueue(taskQueue, 'months', 60 * 24 * 3600 * 1000),
    );
    await until(async () => ((await handle.fetchHistory()).events ?? []).length >= 5);
    await handle.cancel();
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
    expect(await statusOf('months')).toBe('CANCELLED');
    await expectReplays(engine.client, 'months');
  });

  test('hundreds of timers all fire', async () => {
    const options = { taskQueue, workflowId: 'timers', args: [300] as [number] };
    expect(await engine.client.workflow.execute('manyTimers', options)).toBe(300);
    await expectReplays(engine.client, 'timers');
  });
});

describe('chains of runs', () => {
  test('continue-as-new goes on under the same id, and results follow the chain', async () => {
    const handle = await engine.client.workflow.start('continues', {
      taskQueue,
      workflowId: 'chain',
      args: [1],
      memo: { kept: true },
    });
    await expect(
      engine.client.workflow
        .getHandle('chain', handle.firstExecutionRunId, { followRuns: false } as never)
        .result(),
    ).rejects.toBeInstanceOf(WorkflowContinuedAsNewError);
    expect(await handle.result()).toBe('run continued');
    expect((await handle.describe()).memo).toEqual({ kept: true });
    await expectReplays(engine.client, 'chain');
  });

  test('a workflow with a retry policy is tried again as a new run', async () => {
    const handle = await engine.client.workflow.start('succeedsOnAttempt', {
      taskQueue,
      workflowId: 'retried',
      args: [2],
      retry: { initialInterval: 100, maximumAttempts: 3 },
    });
    expect(await handle.result()).toBe(2);
    expect(await statusOf('retried', handle.firstExecutionRunId)).toBe('FAILED');
  });
});

describe('families', () => {
  test('a child is retried and continued without its parent noticing', async () => {
    const retried: unknown = await engine.client.workflow.execute(
      'parentOfRetriedChild',
      onQueue(taskQueue, 'parent-of-retried', 'retried-child'),
    );
    expect(retried).toBe(2);
    const continued: unknown = await engine.client.workflow.execute(
      'parentOfContinuedChild',
      onQueue(taskQueue, 'parent-of-continued', 'continued-child'),
    );
    expect(continued).toBe('run continued');
    await expectReplays(engine.client, 'parent-of-retried', 'parent-of-continued');
  });

  test('an abandoned child outlives its parent', async () => {
    await engine.client.workflow.execute(
      'abandonsChild',
      onQueue(taskQueue, 'abandoning', 'abandoned-child'),
    );
    expect(await engine.client.workflow.getHandle('abandoned-child').result()).toBe('awake');
  });

  test('terminating a parent terminates its child', async () => {
    const parent = await engine.client.workflow.start(
      'parentOf',
      onQueue(taskQueue, 'terminated-parent', 'terminated-child', 60_000),
    );
    await until(() =>
      statusOf('terminated-child').then(
        (name) => name === 'RUNNING',
        () => false,
      ),
    );
    await until(async () =>
      ((await parent.fetchHistory()).events ?? []).some(
        (event) => event.childWorkflowExecutionStartedEventAttributes,
      ),
    );
    await parent.terminate();
    const child = engine.client.workflow.getHandle('terminated-child');
    await expect(child.result()).rejects.toThrow(WorkflowFailedError);
    expect(await statusOf('terminated-child')).toBe('TERMINATED');
  });
});

test('runs are listed and counted by what they are', async () => {
  await engine.client.workflow.execute('empty', { taskQueue, workflowId: 'listed' });
  const found: string[] = [];
  for await (const run of engine.client.workflow.list({ query: `WorkflowId = 'listed'` })) {
    found.push(`${run.workflowId} ${run.status.name} ${run.type}`);
  }
  expect(found).toEqual(['listed COMPLETED empty']);
  const { count } = await engine.client.workflow.count(
    `WorkflowType = 'empty' AND ExecutionStatus = 'Completed'`,
  );
  expect(count).toBeGreaterThanOrEqual(1);
});

test('every history that these tests made replays', async () => {
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
}, 180_000);
