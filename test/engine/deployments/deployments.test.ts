import type { VersioningBehavior } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import { type TestEngine, startTestEngine } from '../embedded/support/engine.ts';
import { EngineProcess } from '../embedded/support/engine-process.ts';
import { errorOf } from '../embedded/support/rpc-error.ts';
import { testActivities } from '../embedded/support/activities.ts';
import { type TestWorker, onQueue, replayAll, startTestWorker } from '../embedded/support/worker.ts';
import {
  add,
  empty,
  finish,
  heir,
  parentOfSecondTry,
  rampingHeir,
  relay,
  secondTry,
  upgradingHeir,
} from '../embedded/workflows/index.ts';
import { until } from '../until.ts';

/** What is expected here was seen on the real server, 1.32. */

jest.setTimeout(120_000);

const NAMESPACE = 'default';
let engine: TestEngine;
const workers: TestWorker[] = [];

beforeAll(async () => {
  engine = await startTestEngine();
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
});

afterAll(async () => {
  await engine.close();
});

type HistoryEvents = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;
type Service = TestEngine['connection']['workflowService'];
const service = (): Service => engine.connection.workflowService;

/** Starts a worker of a version, whose activity answers with its build; waits until the engine knows it. */
async function versionedWorker(
  deploymentName: string,
  buildId: string,
  behavior: VersioningBehavior,
  at: Pick<TestEngine, 'engine' | 'connection'> = engine,
): Promise<TestWorker> {
  const worker = await startTestWorker(at, deploymentName, {
    activities: { ...testActivities, echo: () => Promise.resolve(buildId) },
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName, buildId },
      defaultVersioningBehavior: behavior,
    },
  });
  workers.push(worker);
  await until(async () => {
    const { versionTaskQueues } = await at.connection.workflowService
      .describeWorkerDeploymentVersion({
        namespace: NAMESPACE,
        deploymentVersion: { deploymentName, buildId },
      })
      .catch(() => ({ versionTaskQueues: [] }));
    return versionTaskQueues.length === 2;
  });
  return worker;
}

const setCurrent = (
  deploymentName: string,
  buildId: string,
): ReturnType<Service['setWorkerDeploymentCurrentVersion']> =>
  service().setWorkerDeploymentCurrentVersion({ namespace: NAMESPACE, deploymentName, buildId });

/** Asks the run for one more answer of its activity. */
async function step(handle: WorkflowHandle<typeof relay>, answers: number): Promise<void> {
  await handle.signal(add, 1);
  await until(async () => (await handle.query<number>('total')) === answers);
}

async function answersOf(handle: WorkflowHandle<typeof relay>): Promise<string[]> {
  await handle.signal(finish);
  return await handle.result();
}

const start = (queue: string, id: string): Promise<WorkflowHandle<typeof relay>> =>
  engine.client.workflow.start(relay, { taskQueue: queue, workflowId: id });

async function versioningOf(handle: WorkflowHandle): Promise<unknown> {
  const { raw } = await handle.describe();
  const { versioningInfo } = raw.workflowExecutionInfo ?? {};
  return { behavior: versioningInfo?.behavior, version: versioningInfo?.version };
}

/** The events of the newest run; none of one that is not there yet. */
async function historyOf(handle: WorkflowHandle): Promise<HistoryEvents> {
  return await handle.fetchHistory().then(
    ({ events }) => events ?? [],
    () => [],
  );
}

test('a pinned run stays with its version; new runs go to the current one', async () => {
  await versionedWorker('pins', '1', 'PINNED');
  await setCurrent('pins', '1');
  const old = await start('pins', 'pins/old');
  await step(old, 1);
  await versionedWorker('pins', '2', 'PINNED');
  expect(await setCurrent('pins', '2')).toMatchObject({
    previousVersion: 'pins.1',
    previousDeploymentVersion: { deploymentName: 'pins', buildId: '1' },
  });
  await step(old, 2);
  const young = await start('pins', 'pins/young');
  await step(young, 1);
  expect(await versioningOf(old)).toEqual({ behavior: 1, version: 'pins.1' });
  expect(await answersOf(young)).toEqual(['2']);
  expect(await answersOf(old)).toEqual(['1', '1']);
  const { events } = await old.fetchHistory();
  const started = (events ?? []).flatMap(({ workflowTaskStartedEventAttributes: task }) =>
    task ? [task.targetWorkerDeploymentVersionChanged ?? false] : [],
  );
  expect(started[0]).toBe(false);
  expect(started.at(-1)).toBe(true);
});

test('an upgrading run goes on with the current version', async () => {
  await versionedWorker('upgrades', '1', 'AUTO_UPGRADE');
  await setCurrent('upgrades', '1');
  const handle = await start('upgrades', 'upgrades/run');
  await step(handle, 1);
  await versionedWorker('upgrades', '2', 'AUTO_UPGRADE');
  await setCurrent('upgrades', '2');
  await step(handle, 2);
  expect(await versioningOf(handle)).toEqual({ behavior: 2, version: 'upgrades.2' });
  const { searchAttributes } = (await handle.describe()).raw.workflowExecutionInfo ?? {};
  const attributes = Object.fromEntries(
    Object.entries(searchAttributes?.indexedFields ?? {}).map(([name, { data }]) => [
      name,
      JSON.parse(Buffer.from(data ?? []).toString()) as unknown,
    ]),
  );
  expect(attributes).toEqual({
    BuildIds: ['unversioned:1', 'unversioned:2'],
    TemporalUsedWorkerDeploymentVersions: ['upgrades:1', 'upgrades:2'],
    TemporalWorkerDeployment: 'upgrades',
    TemporalWorkerDeploymentVersion: 'upgrades:2',
    TemporalWorkflowVersioningBehavior: 'AutoUpgrade',
  });
  expect(await answersOf(handle)).toEqual(['1', '2']);
});

test('a task that waits for a version whose workers have left goes to the next current one', async () => {
  const one = await versionedWorker('leaves', '1', 'AUTO_UPGRADE');
  await setCurrent('leaves', '1');
  await one.close();
  const handle = await start('leaves', 'leaves/run');
  await versionedWorker('leaves', '2', 'AUTO_UPGRADE');
  expect((await handle.describe()).raw.pendingWorkflowTask?.state).toBe(1);
  await setCurrent('leaves', '2');
  await step(handle, 1);
  expect(await answersOf(handle)).toEqual(['2']);
});

test('an override moves a pinned run, and is taken back', async () => {
  await versionedWorker('moves', '1', 'PINNED');
  await setCurrent('moves', '1');
  const handle = await start('moves', 'moves/run');
  await step(handle, 1);
  await versionedWorker('moves', '2', 'PINNED');
  const version = { deploymentName: 'moves', buildId: '2' };
  const request = {
    namespace: NAMESPACE,
    workflowExecution: { workflowId: 'moves/run' },
    updateMask: { paths: ['versioning_override'] },
  };
  const pinned = { behavior: 1, version };
  expect(
    await service().updateWorkflowExecutionOptions({
      ...request,
      workflowExecutionOptions: { versioningOverride: { pinned } },
    }),
  ).toMatchObject({ workflowExecutionOptions: { versioningOverride: { pinned } } });
  await step(handle, 2);
  expect(await versioningOf(handle)).toEqual({ behavior: 1, version: 'moves.2' });
  await service().updateWorkflowExecutionOptions({ ...request, workflowExecutionOptions: {} });
  const { raw } = await handle.describe();
  expect(raw.workflowExecutionInfo?.versioningInfo?.versioningOverride).toBeNull();
  expect(await answersOf(handle)).toEqual(['1', '2']);
  const { events } = await handle.fetchHistory();
  const updates = (events ?? []).filter(
    ({ workflowExecutionOptionsUpdatedEventAttributes: update }) => update !== null,
  );
  expect(updates.map(({ workerMayIgnore }) => workerMayIgnore)).toEqual([true, true]);
});

test('a child and the next run take over what their run is pinned to', async () => {
  await versionedWorker('heirs', '1', 'PINNED');
  await setCurrent('heirs', '1');
  await engine.client.workflow.execute(heir, { taskQueue: 'heirs', workflowId: 'heirs/run', args: [0] });
  for (const id of ['heirs/run/child', 'heirs/run']) {
    const { events } = await engine.client.workflow.getHandle(id).fetchHistory();
    expect(events?.[0]?.workflowExecutionStartedEventAttributes).toMatchObject({
      inheritedPinnedVersion: { deploymentName: 'heirs', buildId: '1' },
    });
  }
});

test.each([
  { asked: 'AUTO_UPGRADE', becomes: 'current', behavior: 1 },
  // The ramp has no part of the workflow ids, so that no other run gets there.
  { asked: 'USE_RAMPING_VERSION', becomes: 'ramping', behavior: 2 },
] as const)('a pinned run leaves its version by $asked', async ({ asked, becomes, behavior }) => {
  const deploymentName = `leaves-by-${asked}`;
  await versionedWorker(deploymentName, '1', 'PINNED');
  await setCurrent(deploymentName, '1');
  const handle = await engine.client.workflow.start(upgradingHeir, {
    taskQueue: deploymentName,
    workflowId: deploymentName,
    args: [asked],
  });
  await until(async () =>
    ((await handle.fetchHistory()).events ?? []).some((event) => event.activityTaskCompletedEventAttributes),
  );
  await versionedWorker(deploymentName, '2', 'PINNED');
  if (becomes === 'current') await setCurrent(deploymentName, '2');
  else
    await service().setWorkerDeploymentRampingVersion({
      namespace: NAMESPACE,
      deploymentName,
      buildId: '2',
      percentage: 0,
    });
  await handle.signal(finish);
  expect(await handle.result()).toEqual(['1', '2']);
  const { events } = await engine.client.workflow.getHandle(deploymentName).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(started?.inheritedPinnedVersion ?? null).toBeNull();
  expect(started?.inheritedAutoUpgradeInfo).toMatchObject({
    sourceDeploymentVersion: { deploymentName, buildId: '1' },
    continueAsNewInitialVersioningBehavior: behavior,
  });
  expect(await versioningOf(handle)).toEqual({ behavior: 1, version: `${deploymentName}.2` });
});

test.each([
  { way: 'its own code', behavior: 'PINNED', answer: '2', started: { inheritedPinnedVersion: null } },
  {
    way: 'its parent',
    behavior: 'PINNED',
    answer: '1',
    started: { inheritedPinnedVersion: { buildId: '1' }, inheritedAutoUpgradeInfo: null },
  },
  {
    way: 'an override',
    behavior: 'PINNED',
    answer: '1',
    started: { versioningOverride: { pinned: { version: { buildId: '1' } } }, inheritedPinnedVersion: null },
  },
  {
    way: 'nothing, as it is upgraded',
    behavior: 'AUTO_UPGRADE',
    answer: '2',
    // Its last task went to the version that was current then.
    started: { inheritedAutoUpgradeInfo: { sourceDeploymentVersion: { buildId: '2' } } },
  },
] as const)(
  'the next attempt of a run that is pinned by $way',
  async ({ way, behavior, answer, started }) => {
    const deploymentName = `tries-${way.replaceAll(/\W/g, '-')}`;
    await versionedWorker(deploymentName, '1', behavior);
    await setCurrent(deploymentName, '1');
    const byParent = way === 'its parent';
    const workflowId = deploymentName;
    const run = await engine.client.workflow.start(byParent ? parentOfSecondTry : secondTry, {
      taskQueue: deploymentName,
      workflowId,
      retry: { initialInterval: '100ms' },
      ...(way === 'an override' && {
        versioningOverride: { pinnedTo: { deploymentName, buildId: '1' } },
      }),
    });
    const tried = engine.client.workflow.getHandle<typeof secondTry>(
      byParent ? `${workflowId}/child` : workflowId,
    );
    await until(async () =>
      (await historyOf(tried)).some((event) => event.activityTaskCompletedEventAttributes),
    );
    await versionedWorker(deploymentName, '2', behavior);
    await setCurrent(deploymentName, '2');
    await tried.signal(finish);
    expect(await run.result()).toBe(answer);
    const [first] = await historyOf(tried);
    expect(first?.workflowExecutionStartedEventAttributes).toMatchObject({ attempt: 2, ...started });
  },
);

test('the next attempt of a run that began where a ramp leads begins there, too', async () => {
  const deploymentName = 'tries-ramping';
  await versionedWorker(deploymentName, '1', 'AUTO_UPGRADE');
  await setCurrent(deploymentName, '1');
  await versionedWorker(deploymentName, '2', 'AUTO_UPGRADE');
  // No part of the workflow ids goes there by itself.
  const ramp = { namespace: NAMESPACE, deploymentName, buildId: '2', percentage: 0 };
  await service().setWorkerDeploymentRampingVersion(ramp);
  const retry = { initialInterval: '100ms' };
  await engine.client.workflow.execute(rampingHeir, {
    taskQueue: deploymentName,
    workflowId: deploymentName,
    args: [0],
    retry,
  });
  const events = await historyOf(engine.client.workflow.getHandle(deploymentName));
  expect(events[0]?.workflowExecutionStartedEventAttributes).toMatchObject({
    attempt: 2,
    inheritedAutoUpgradeInfo: {
      sourceDeploymentVersion: { buildId: '2' },
      continueAsNewInitialVersioningBehavior: 2,
    },
  });
  const completed = events.find((event) => event.workflowTaskCompletedEventAttributes);
  expect(completed?.workflowTaskCompletedEventAttributes?.deploymentVersion).toMatchObject({ buildId: '2' });
});

test('the next run of a cron schedule stays where an operator has pinned it', async () => {
  const deploymentName = 'scheduled';
  await versionedWorker(deploymentName, '1', 'AUTO_UPGRADE');
  await versionedWorker(deploymentName, '2', 'AUTO_UPGRADE');
  await setCurrent(deploymentName, '2');
  const version = { deploymentName, buildId: '1' };
  const handle = await engine.client.workflow.start(empty, {
    taskQueue: deploymentName,
    workflowId: deploymentName,
    cronSchedule: '@every 1s',
    versioningOverride: { pinnedTo: version },
  });
  const first = handle.firstExecutionRunId;
  await until(async () => (await handle.describe()).runId !== first);
  const [started] = await historyOf(engine.client.workflow.getHandle(deploymentName));
  expect(started?.workflowExecutionStartedEventAttributes).toMatchObject({
    initiator: 3,
    continuedExecutionRunId: first,
    versioningOverride: { pinned: { version } },
    inheritedPinnedVersion: null,
  });
  await engine.client.workflow.getHandle(deploymentName).terminate();
});

test('a version is drained when the last run that is pinned to it has ended, and can go then', async () => {
  const one = await versionedWorker('drains', '1', 'PINNED');
  await setCurrent('drains', '1');
  const handle = await start('drains', 'drains/run');
  await step(handle, 1);
  await versionedWorker('drains', '2', 'PINNED');
  await setCurrent('drains', '2');
  const version = { deploymentName: 'drains', buildId: '1' };
  const remove = (buildId: string): Promise<unknown> =>
    service().deleteWorkerDeploymentVersion({
      namespace: NAMESPACE,
      deploymentVersion: { ...version, buildId },
    });
  const statusOf = async (): Promise<unknown> =>
    (await service().describeWorkerDeploymentVersion({ namespace: NAMESPACE, deploymentVersion: version }))
      .workerDeploymentVersionInfo?.status;
  expect(await statusOf()).toBe(4);
  expect(await errorOf(remove('2'))).toMatchObject({
    code: 9,
    message: "version 'drains:2' cannot be deleted since it is current or ramping",
  });
  expect(await errorOf(remove('1'))).toMatchObject({
    code: 9,
    message: "version 'drains:1' cannot be deleted since it is draining",
  });
  await answersOf(handle);
  expect(await statusOf()).toBe(5);
  await one.close();
  // The engine hears a moment later that the worker's polls have ended.
  const refusals = new Set<string>();
  await until(async () => {
    try {
      await remove('1');
      return true;
    } catch (error) {
      refusals.add(String(error));
      return false;
    }
  });
  expect(
    [...refusals].filter(
      (told) => !told.includes("'drains:1' cannot be deleted since it has active pollers"),
    ),
  ).toEqual([]);
  const { workerDeploymentInfo } = await service().describeWorkerDeployment({
    namespace: NAMESPACE,
    deploymentName: 'drains',
  });
  expect(workerDeploymentInfo?.versionSummaries?.map(({ version: name }) => name)).toEqual(['drains.2']);
});

test('who manages a deployment, and who has seen which state of it', async () => {
  await versionedWorker('managed', '1', 'PINNED');
  const deployment = { namespace: NAMESPACE, deploymentName: 'managed' };
  const { conflictToken } = await service().describeWorkerDeployment(deployment);
  const change = { ...deployment, buildId: '1', identity: 'me' };
  await service().setWorkerDeploymentCurrentVersion({ ...change, conflictToken });
  await service().setWorkerDeploymentManager({ ...deployment, managerIdentity: 'boss', identity: 'me' });
  const refused = async (request: Partial<typeof change> & { conflictToken?: Uint8Array }): Promise<string> =>
    (await errorOf(service().setWorkerDeploymentCurrentVersion({ ...change, ...request }))).message;
  expect(await refused({})).toBe(
    "ManagerIdentity 'boss' is set and does not match user identity 'me'; to proceed, set your own identity as the " +
      'ManagerIdentity, remove the ManagerIdentity, or wait for the other client to do so',
  );
  expect(await refused({ identity: 'boss', conflictToken })).toBe('conflict token mismatch');
  expect(await refused({ identity: 'boss', buildId: '9' })).toBe(
    "build ID '9' not found in Worker Deployment 'managed'",
  );
  const ramp = async (percentage: number, buildId: string): Promise<string> =>
    (
      await errorOf(
        service().setWorkerDeploymentRampingVersion({ ...deployment, identity: 'boss', buildId, percentage }),
      )
    ).message;
  expect(await ramp(101, '1')).toBe('Percentage must be between 0 and 100 (inclusive)');
  expect(await ramp(10, '1')).toBe('requested ramping version managed.1 is already current');
});

test('what nobody has polled is not there', async () => {
  const message = async (call: Promise<unknown>): Promise<string> => (await errorOf(call)).message;
  const namespace = NAMESPACE;
  expect(await message(service().describeWorkerDeployment({ namespace, deploymentName: 'none' }))).toBe(
    "no Worker Deployment found with name 'none'; does your Worker Deployment have pollers?",
  );
  expect(await message(service().describeWorkerDeployment({ namespace }))).toBe(
    'WorkerDeploymentName cannot be empty',
  );
  expect(
    await message(
      service().describeWorkerDeploymentVersion({
        namespace,
        deploymentVersion: { deploymentName: 'none', buildId: '1' },
      }),
    ),
  ).toBe('Worker Deployment Version not found');
  expect(await message(service().setWorkerDeploymentCurrentVersion({ namespace, buildId: '1' }))).toBe(
    'deployment name cannot be empty',
  );
});

test('what the engine wrote replays', async () => {
  expect(await replayAll(engine.client)).toBeGreaterThan(5);
});

test('routing and pins are there after a kill', async () => {
  const process = new EngineProcess();
  await process.start();
  const open = async (): Promise<TestEngine> => {
    const { Client, Connection } = await import('@temporalio/client');
    const connection = await Connection.connect(process.engine.connection);
    return {
      engine: process.engine,
      connection,
      client: new Client({ connection }),
      dbPath: '',
      close: () => connection.close(),
    };
  };
  let at = await open();
  const one = await versionedWorker('kept', '1', 'PINNED', at);
  const current = (buildId: string): Promise<unknown> =>
    at.connection.workflowService.setWorkerDeploymentCurrentVersion({
      namespace: NAMESPACE,
      deploymentName: 'kept',
      buildId,
    });
  await current('1');
  const handle = await at.client.workflow.start(relay, onQueue('kept', 'kept/run') as never);
  await step(handle as never, 1);
  const two = await versionedWorker('kept', '2', 'PINNED', at);
  await current('2');
  await at.close();
  await process.restart();
  at = await open();
  const again = at.client.workflow.getHandle<typeof relay>('kept/run');
  await step(again, 2);
  expect(await answersOf(again)).toEqual(['1', '1']);
  const young = await at.client.workflow.start(relay, onQueue('kept', 'kept/young') as never);
  await step(young as never, 1);
  expect(await answersOf(young as never)).toEqual(['2']);
  await Promise.all([one.close(), two.close()]);
  await at.close();
  await process.kill();
});
