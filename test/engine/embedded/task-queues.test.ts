import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import {
  BuildIdTaskReachability,
  DescribeTaskQueueMode,
  TaskQueueType,
} from '../../../engine/embedded/protocol/proto.ts';
import { Rate } from '../../../engine/embedded/queues/rate.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';
import { until } from '../until.ts';
import { startTestEngine } from './support/engine.ts';
import { errorOf, refusal } from './support/rpc-error.ts';
import { onQueue } from './support/worker.ts';

/** The shapes of the answers are those of a real server of version 1.32.0. */

const engine = openedForAll(startTestEngine);
const service = madeForAll(() => engine.connection.workflowService);
const namespace = 'default';
const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = TaskQueueType;
const enhanced = DescribeTaskQueueMode.DESCRIBE_TASK_QUEUE_MODE_ENHANCED;

async function waiting(count: number): Promise<{ name: string }> {
  const name = randomUUID();
  for (let at = 0; at < count; at += 1)
    await engine.client.workflow.start('any', onQueue(name, `${name}-${at}`));
  return { name };
}

test('the old form tells the status that the CLI reads with --legacy-mode', async () => {
  const taskQueue = await waiting(2);
  const told = await service.describeTaskQueue({
    namespace,
    taskQueue,
    taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
    includeTaskQueueStatus: true,
    reportStats: true,
  });
  expect(Number(told.taskQueueStatus?.backlogCountHint)).toBe(2);
  expect(Number(told.taskQueueStatus?.taskIdBlock?.startId)).toBe(1);
  expect(Number(told.stats?.approximateBacklogCount)).toBe(2);
  expect(Number(told.statsByPriorityKey?.[3]?.approximateBacklogCount)).toBe(2);
  expect(told.versioningInfo?.currentVersion).toBe('__unversioned__');
  const plain = await service.describeTaskQueue({ namespace, taskQueue });
  expect(plain.taskQueueStatus).toBeFalsy();
  expect(plain.stats).toBeFalsy();
});

test('the new form tells each type of each build', async () => {
  const taskQueue = await waiting(1);
  const told = await service.describeTaskQueue({
    namespace,
    taskQueue,
    apiMode: enhanced,
    versions: { buildIds: ['a'], unversioned: true },
    reportStats: true,
    reportPollers: true,
    reportTaskReachability: true,
  });
  const { '': unversioned, a } = told.versionsInfo;
  expect(unversioned?.taskReachability).toBe(BuildIdTaskReachability.BUILD_ID_TASK_REACHABILITY_REACHABLE);
  expect(a?.taskReachability).toBe(BuildIdTaskReachability.BUILD_ID_TASK_REACHABILITY_UNREACHABLE);
  const stats = unversioned?.typesInfo?.[TASK_QUEUE_TYPE_WORKFLOW]?.stats;
  expect(Number(stats?.approximateBacklogCount)).toBe(1);
  expect(stats?.tasksAddRate).toBeGreaterThan(0);
  expect(stats?.tasksDispatchRate).toBe(0);
  const activities = unversioned?.typesInfo?.[TASK_QUEUE_TYPE_ACTIVITY]?.stats;
  expect(Number(activities?.approximateBacklogCount)).toBe(0);
  expect(Number(a?.typesInfo?.[TASK_QUEUE_TYPE_WORKFLOW]?.stats?.approximateBacklogCount)).toBe(0);
});

test('pollers are told in both forms', async () => {
  const taskQueue = { name: randomUUID() };
  const poll = engine.connection.withDeadline(Date.now() + 60_000, () =>
    service.pollActivityTaskQueue({ namespace, taskQueue, identity: 'me' }),
  );
  const pollers = async () => {
    const { versionsInfo } = await service.describeTaskQueue({
      namespace,
      taskQueue,
      apiMode: enhanced,
      reportPollers: true,
    });
    return versionsInfo['']?.typesInfo?.[TASK_QUEUE_TYPE_ACTIVITY]?.pollers ?? [];
  };
  await until(async () => (await pollers()).length === 1);
  expect((await pollers())[0]?.identity).toBe('me');
  const old = await service.describeTaskQueue({
    namespace,
    taskQueue,
    taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
  });
  expect(old.pollers.map(({ identity }) => identity)).toEqual(['me']);
  await service.shutdownWorker({ namespace, taskQueue: taskQueue.name, identity: 'me' });
  expect((await poll).taskToken).toHaveLength(0);
});

test('a rate is the average of the last half minute', () => {
  let time = 1_000_000_000_000;
  const rate = new Rate(() => time);
  for (let at = 0; at < 60; at += 1) rate.add();
  expect(rate.perSecond).toBe(2);
  time += 29_000;
  rate.add();
  expect(rate.perSecond).toBeCloseTo(61 / 30);
  time += 1000;
  expect(rate.perSecond).toBeCloseTo(1 / 30);
  time += 3_600_000;
  expect(rate.perSecond).toBe(0);
  time -= 10_000;
  rate.add();
  expect(rate.perSecond).toBeCloseTo(1 / 30);
});

test('refusals', async () => {
  expect(await errorOf(service.describeTaskQueue({ namespace }))).toEqual(
    refusal(status.INVALID_ARGUMENT, 'taskQueue is not set'),
  );
  expect(await errorOf(service.listTaskQueuePartitions({ namespace, taskQueue: { name: '' } }))).toEqual(
    refusal(status.INVALID_ARGUMENT, 'missing task queue name'),
  );
});
