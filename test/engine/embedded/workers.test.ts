import { status } from '@grpc/grpc-js';
import type { temporal } from '@temporalio/proto';
import { WorkerStatus } from '../../../engine/embedded/protocol/proto.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';
import { startTestEngine } from './support/engine.ts';
import { errorOf, refusal } from './support/rpc-error.ts';

/** The expected answers were recorded from a real server of version 1.32.0. */

const engine = openedForAll(startTestEngine);
const service = madeForAll(() => engine.connection.workflowService);
const namespace = 'default';
const now = Math.floor(Date.now() / 1000);
const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const { WORKER_STATUS_RUNNING, WORKER_STATUS_SHUTTING_DOWN, WORKER_STATUS_SHUTDOWN } = WorkerStatus;

const heartbeat = (
  key: string,
  taskQueue: string,
  more: temporal.api.worker.v1.IWorkerHeartbeat = {},
): temporal.api.worker.v1.IWorkerHeartbeat => ({
  workerInstanceKey: key,
  workerIdentity: `id-${key}`,
  taskQueue,
  status: WORKER_STATUS_RUNNING,
  sdkName: 'temporal-typescript',
  sdkVersion: `1.24.${key}`,
  hostInfo: { hostName: `h${key}`, processId: '1' },
  startTime: { seconds: (now - 100) as never },
  heartbeatTime: { seconds: now as never },
  ...more,
});

async function listed(query = ''): Promise<string> {
  const { workersInfo } = await service.listWorkers({ namespace, query });
  const keys = workersInfo.map(({ workerHeartbeat }) => workerHeartbeat?.workerInstanceKey ?? '');
  return keys.sort().join(',');
}

beforeEach(async () => {
  await service.recordWorkerHeartbeat({
    namespace,
    workerHeartbeat: [
      heartbeat('1', 'q'),
      heartbeat('2', 'q2', { deploymentVersion: { deploymentName: 'd', buildId: 'b' } }),
      heartbeat('3', 'q', {
        status: WORKER_STATUS_SHUTTING_DOWN,
        startTime: { seconds: (now - 1000) as never },
      }),
    ],
  });
});

test.each([
  ['', '1,2,3'],
  ["TaskQueue='q'", '1,3'],
  ["TaskQueue!='q'", '2'],
  ["TaskQueue = 'q' AND Status='Running'", '1'],
  ["Status='ShuttingDown'", '3'],
  ["Status='WORKER_STATUS_RUNNING'", ''],
  ["WorkerInstanceKey='1'", '1'],
  ["WorkerInstanceKey IN ('1','3')", ''],
  ["WorkerIdentity STARTS_WITH 'id'", '1,2,3'],
  ["WorkerIdentity LIKE 'id%'", ''],
  ["HostName='h1'", '1'],
  ["DeploymentName='d'", '2'],
  ["BuildId='b'", '2'],
  ['DeploymentName IS NULL', '1,3'],
  ["SdkVersion='1.24.1'", '1'],
  [`StartTime > '${at(now - 500)}'`, '1,2'],
  [`StartTime BETWEEN '${at(now - 5000)}' AND '${at(now - 500)}'`, '3'],
  ['HeartbeatTime IS NOT NULL', '1,2,3'],
  ["HeartbeatTime > 'x'", ''],
  ['StartTime > 5', '1,2,3'],
  ["Nope='q'", ''],
  ['TaskQueue=1', ''],
  ["TaskQueue>'a'", ''],
  ["NOT TaskQueue='q'", ''],
  ["(TaskQueue='q' OR TaskQueue='q2') AND HostName='h2'", '2'],
  ['TaskQueue', ''],
  ["TaskQueue='q' ORDER BY StartTime", '1,3'],
  ["'a'='a'", ''],
  ["`TaskQueue`='q'", '1,3'],
])('workers are found by %p', async (query, keys) => {
  expect(await listed(query)).toBe(keys);
});

test('a list comes in pages', async () => {
  const first = await service.listWorkers({ namespace, pageSize: 2 });
  expect(Buffer.from(first.nextPageToken).toString()).toBe('{"l":"2"}');
  const rest = await service.listWorkers({ namespace, pageSize: 2, nextPageToken: first.nextPageToken });
  expect(rest.workers.map(({ workerInstanceKey }) => workerInstanceKey)).toEqual(['3']);
  expect(rest.nextPageToken).toHaveLength(0);
  expect(rest.workers[0]).toMatchObject({
    taskQueue: 'q',
    hostName: 'h3',
    processId: '1',
    sdkVersion: '1.24.3',
  });
});

test('refusals', async () => {
  expect(await errorOf(service.listWorkers({ namespace, query: 'TaskQueue=' }))).toMatchObject(
    refusal(status.INVALID_ARGUMENT, 'malformed query: syntax error at position 38'),
  );
  expect(
    await errorOf(service.listWorkers({ namespace, pageSize: 2, nextPageToken: Buffer.from('xx') })),
  ).toMatchObject(refusal(status.INVALID_ARGUMENT, 'invalid next_page_token'));
  expect(await errorOf(service.listWorkers({ namespace: '' }))).toMatchObject(
    refusal(status.INVALID_ARGUMENT, 'Namespace is empty.'),
  );
  expect(await errorOf(service.describeWorker({ namespace, workerInstanceKey: 'k' }))).toMatchObject(
    refusal(status.NOT_FOUND, 'Worker k not found', 'NotFoundFailure'),
  );
});

test('a worker that says it has ended is forgotten', async () => {
  const workerHeartbeat = heartbeat('1', 'q', { status: WORKER_STATUS_SHUTDOWN });
  await service.shutdownWorker({ namespace, identity: 'id-1', stickyTaskQueue: 's', workerHeartbeat });
  expect(await listed()).toBe('2,3');
  const { workerInfo } = await service.describeWorker({ namespace, workerInstanceKey: '2' });
  expect(workerInfo?.workerHeartbeat?.taskQueue).toBe('q2');
});
