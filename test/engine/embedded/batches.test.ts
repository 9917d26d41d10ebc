import { randomUUID } from 'node:crypto';
import { BatchOperationState } from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { EngineProcess } from './support/engine-process.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { eventTypes } from './support/event-types.ts';
import { RawWorker } from './support/raw.ts';
import { errorOf, refusal } from './support/rpc-error.ts';
import { onQueue } from './support/worker.ts';

jest.setTimeout(60_000);

type Target = Pick<TestEngine, 'connection' | 'client'>;
type Request = Parameters<TestEngine['connection']['workflowService']['startBatchOperation']>[0];
type Batch = Partial<Exclude<Request, { toJSON(): unknown }>>;

const namespace = 'default';
const { BATCH_OPERATION_STATE_RUNNING: RUNNING } = BatchOperationState;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

async function begin({ connection }: Target, batch: Batch): Promise<string> {
  const jobId = randomUUID();
  await connection.workflowService.startBatchOperation({ namespace, jobId, reason: 'why', ...batch });
  return jobId;
}

const describe_ = ({ connection }: Target, jobId: string) =>
  connection.workflowService.describeBatchOperation({ namespace, jobId });

/** How many workflows an operation changed, failed to change, and was for, once it is over. */
async function counts(target: Target, jobId: string): Promise<number[]> {
  await until(async () => (await describe_(target, jobId)).state !== RUNNING);
  const done = await describe_(target, jobId);
  return [done.completeOperationCount, done.failureOperationCount, done.totalOperationCount].map(Number);
}

async function several(target: Target, queue: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, at) => `${queue}-${at}`);
  await Promise.all(ids.map((id) => target.client.workflow.start('any', onQueue(queue, id))));
  return ids;
}

const statusOf = async ({ client }: Target, id: string): Promise<string> =>
  (await client.workflow.getHandle(id).describe()).status.name;
const types = async ({ client }: Target, id: string) =>
  eventTypes((await client.workflow.getHandle(id).fetchHistory()).events);
const of = (queue: string): string => `TaskQueue = '${queue}'`;

test('signals, cancellations, terminations and deletions reach what the query finds', async () => {
  const ids = await several(engine, 'all', 3);
  const signalled = await begin(engine, {
    visibilityQuery: of('all'),
    signalOperation: { signal: 'hello', identity: 'me' },
  });
  expect(await counts(engine, signalled)).toEqual([3, 0, 3]);
  expect(await describe_(engine, signalled)).toMatchObject({
    reason: 'why',
    identity: 'me',
    operationType: 15,
  });
  const cancelled = await begin(engine, { visibilityQuery: of('all'), cancellationOperation: {} });
  expect(await counts(engine, cancelled)).toEqual([3, 0, 3]);
  for (const id of ids) {
    expect(await types(engine, id)).toEqual([
      'WORKFLOW_EXECUTION_STARTED',
      'WORKFLOW_TASK_SCHEDULED',
      'WORKFLOW_EXECUTION_SIGNALED',
      'WORKFLOW_EXECUTION_CANCEL_REQUESTED',
    ]);
  }
  const ended = await begin(engine, { visibilityQuery: of('all'), terminationOperation: { identity: 'me' } });
  expect(await counts(engine, ended)).toEqual([3, 0, 3]);
  expect(await Promise.all(ids.map((id) => statusOf(engine, id)))).toEqual(Array(3).fill('TERMINATED'));
  // Closed runs are none to terminate, but some to delete.
  const again = await begin(engine, { visibilityQuery: of('all'), terminationOperation: {} });
  expect(await counts(engine, again)).toEqual([0, 0, 0]);
  const deleted = await begin(engine, { visibilityQuery: of('all'), deletionOperation: {} });
  expect(await counts(engine, deleted)).toEqual([3, 0, 3]);
  await expect(statusOf(engine, 'all-0')).rejects.toThrow('workflow not found');
});

test('a reset of named workflows counts those that it cannot reset', async () => {
  const [one = '', two = ''] = await several(engine, 'reset', 2);
  const worker = new RawWorker(engine, 'reset');
  await worker.complete(await worker.poll());
  await worker.complete(await worker.poll());
  const executions = [{ workflowId: one }, { workflowId: two }, { workflowId: 'nobody' }];
  const reset = await begin(engine, {
    executions,
    resetOperation: { options: { firstWorkflowTask: {}, resetReapplyType: 2 } },
  });
  expect(await counts(engine, reset)).toEqual([3, 0, 3]);
  expect((await types(engine, one)).slice(3)).toEqual(['WORKFLOW_TASK_FAILED', 'WORKFLOW_TASK_SCHEDULED']);
  const unknown = await begin(engine, { executions, resetOperation: { options: { buildId: 'none' } } });
  expect(await counts(engine, unknown)).toEqual([1, 2, 3]);
});

test('operations are listed, stopped and refused as on the server', async () => {
  const { workflowService: service } = engine.connection;
  await several(engine, 'slow', 3);
  const terminationOperation = {};
  const jobId = await begin(engine, {
    visibilityQuery: of('slow'),
    maxOperationsPerSecond: 0.01,
    terminationOperation,
  });
  await until(async () => Number((await describe_(engine, jobId)).completeOperationCount) === 1);
  await service.stopBatchOperation({ namespace, jobId, reason: 'enough' });
  expect(await counts(engine, jobId)).toEqual([1, 0, 3]);
  const all = await service.listBatchOperations({ namespace });
  const newest = await service.listBatchOperations({ namespace, pageSize: 1 });
  expect(newest.operationInfo.map((one) => one.jobId)).toEqual([jobId]);
  const rest = await service.listBatchOperations({ namespace, nextPageToken: newest.nextPageToken });
  expect(rest.operationInfo).toEqual(all.operationInfo.slice(1));
  const start = (batch: Batch) =>
    errorOf(service.startBatchOperation({ namespace, jobId: randomUUID(), reason: 'r', ...batch }));
  const required =
    'must provide required parameters: BatchType,Reason,Namespace, AND one of (Query OR Executions OR TargetExecutions)';
  expect(await start({ visibilityQuery: of('slow') })).toEqual(refusal(3, required));
  expect(await start({ terminationOperation })).toEqual(refusal(3, required));
  expect(await start({ visibilityQuery: of('slow'), reason: '', terminationOperation })).toEqual(
    refusal(3, required),
  );
  expect(await start({ visibilityQuery: of('slow'), jobId: '', terminationOperation })).toEqual(
    refusal(3, 'JobId is not set on request.'),
  );
  expect((await start({ visibilityQuery: of('slow'), jobId, terminationOperation })).code).toBe(6);
  expect(await start({ visibilityQuery: of('slow'), resetActivitiesOperation: {} })).toEqual(
    refusal(3, 'must provide ActivityType or MatchAll'),
  );
  expect(await errorOf(service.stopBatchOperation({ namespace, jobId, reason: 'r' }))).toEqual(
    refusal(5, 'workflow execution already completed', 'NotFoundFailure'),
  );
  expect(await errorOf(describe_(engine, 'none'))).toEqual(
    refusal(5, 'workflow not found for ID: none', 'NotFoundFailure'),
  );
});

test('an operation goes on after a kill and signals nobody twice', async () => {
  const server = new EngineProcess();
  await server.start();
  const target = await server.connect();
  const ids = await several(target, 'killed', 120);
  const jobId = await begin(target, {
    visibilityQuery: of('killed'),
    maxOperationsPerSecond: 40,
    signalOperation: { signal: 'once' },
  });
  await until(async () => Number((await describe_(target, jobId)).completeOperationCount) >= 40);
  await server.restart();
  expect(await counts(target, jobId)).toEqual([120, 0, 120]);
  for (const id of ids) {
    const seen = await types(target, id);
    expect(seen.filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED')).toHaveLength(1);
  }
  await target.connection.close();
  await server.close();
});
