import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importHistories } from '../../../engine/histories/import-histories.ts';
import { OperatorConnection } from '../../../engine/histories/operator-connection.ts';
import { startEngine } from '../../../engine/index.ts';
import { folderForEach, temporaryFolder } from '../../support/temporary-folder.ts';
import { errorOf, refusal } from '../embedded/support/rpc-error.ts';
import { RawWorker, closeCommand } from '../embedded/support/raw.ts';
import { type Moved, type Service, exportFrom, importInto, startService } from './services.ts';

jest.setTimeout(60_000);

const folder = temporaryFolder();
const dir = folderForEach();
let service: Service;
beforeAll(async () => {
  service = await startService('embedded', folder);
});
afterAll(() => service.close());

type Event = Readonly<Record<string, unknown>>;

/** The first two events of a run, as JSON has them. */
function begun(workflowId: string, runId: string, more: Event = {}, at = new Date()): Event[] {
  const eventTime = at.toISOString();
  return [
    {
      eventId: '1',
      eventTime,
      eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED',
      workflowExecutionStartedEventAttributes: {
        workflowType: { name: 'any' },
        taskQueue: { name: `queue of ${workflowId}` },
        workflowTaskTimeout: '10s',
        originalExecutionRunId: runId,
        firstExecutionRunId: runId,
        attempt: 1,
        workflowId,
        ...more,
      },
    },
    {
      eventId: '2',
      eventTime,
      eventType: 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
      workflowTaskScheduledEventAttributes: {
        taskQueue: { name: 'q' },
        startToCloseTimeout: '10s',
        attempt: 1,
      },
    },
  ];
}

const terminated = (eventId: number, at = new Date()): Event => ({
  eventId: String(eventId),
  eventTime: at.toISOString(),
  eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED',
  workflowExecutionTerminatedEventAttributes: { reason: 'enough' },
});

async function importing(events: readonly Event[]): Promise<Moved> {
  const path = join(dir(), 'history.json');
  await writeFile(path, JSON.stringify({ events }));
  return await importInto(service, path);
}

async function refusedWith(events: readonly Event[]): Promise<string> {
  const { tally, notes } = await importing(events);
  expect(tally).toEqual({ imported: 0, known: 0, expired: 0, refused: 1 });
  return notes.join();
}

const described = async (workflowId: string, runId?: string): Promise<string> =>
  (await service.client.workflow.getHandle(workflowId, runId).describe()).status.name;

test('a file that the CLI wrote is one run, whose task a worker gets', async () => {
  const runId = randomUUID();
  expect((await importing(begun('single', runId))).tally.imported).toBe(1);
  const worker = new RawWorker(service, 'queue of single');
  const task = await worker.poll();
  expect(task.workflowExecution).toMatchObject({ workflowId: 'single', runId });
  await worker.complete(task, [closeCommand]);
  expect(await described('single', runId)).toBe('COMPLETED');
});

test.each([
  ['has a gap', (runId: string) => [begun('w', runId)[0] ?? {}, terminated(3)], 'expected event 2, found 3'],
  [
    'goes on after its end',
    (runId: string) => [begun('w', runId)[0] ?? {}, terminated(2), terminated(3)],
    'event 2 ends',
  ],
  [
    'carries an unknown search attribute',
    (runId: string) =>
      begun('w', runId, { searchAttributes: { indexedFields: { Unheard: { data: 'IngiIg==' } } } }),
    'no mapping defined for search attribute Unheard',
  ],
  [
    'waits for a Nexus operation',
    (runId: string) => [
      ...begun('w', runId),
      {
        eventId: '3',
        eventType: 'EVENT_TYPE_NEXUS_OPERATION_SCHEDULED',
        nexusOperationScheduledEventAttributes: {},
      },
    ],
    'waits for a Nexus operation',
  ],
])('a history that %s is refused and leaves nothing', async (_, make, message) => {
  const runId = randomUUID();
  expect(await refusedWith(make(runId))).toContain(message);
  await expect(described('w', runId)).rejects.toThrow('not found');
});

test('an open run is refused beside another open one; a closed one goes beside it', async () => {
  const [first, second, old] = [randomUUID(), randomUUID(), randomUUID()];
  await importing(begun('twice', first));
  expect(await refusedWith(begun('twice', second))).toContain(`Another run of twice is open here: ${first}`);
  const before = new Date(Date.now() - 3_600_000);
  await importing([...begun('twice', old, {}, before), terminated(3, before)]);
  expect([await described('twice', old), await described('twice')]).toEqual(['TERMINATED', 'RUNNING']);
});

test('a paused run stays so, and goes on when it is told to', async () => {
  const runId = randomUUID();
  const eventTime = new Date().toISOString();
  const cause = 'WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_PAUSE_REQUESTED_BEFORE_TASK_STARTED';
  const paused = [
    {
      eventId: '3',
      eventTime,
      eventType: 'EVENT_TYPE_WORKFLOW_TASK_FAILED',
      workflowTaskFailedEventAttributes: { scheduledEventId: '2', cause },
    },
    {
      eventId: '4',
      eventTime,
      eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_PAUSED',
      workflowExecutionPausedEventAttributes: { identity: 'me', reason: 'why' },
    },
  ];
  expect((await importing([...begun('paused', runId), ...paused])).tally.imported).toBe(1);
  expect(await service.client.workflow.getHandle('paused').describe()).toMatchObject({
    raw: { workflowExecutionInfo: { status: 8 }, pendingWorkflowTask: null },
  });
  await service.connection.workflowService.unpauseWorkflowExecution({
    namespace: 'default',
    workflowId: 'paused',
  });
  const task = await new RawWorker(service, 'queue of paused').poll();
  expect(task.attempt).toBe(1);
});

test('a run that has gone on since is not set back', async () => {
  const runId = randomUUID();
  await importing(begun('ahead', runId));
  await service.client.workflow.getHandle('ahead').signal('more');
  expect((await importing(begun('ahead', runId))).tally.known).toBe(1);
});

test('runs that the namespace would remove at once are told and left out', async () => {
  const runId = randomUUID();
  const long = new Date(Date.now() - 3 * 24 * 3_600_000);
  const { tally, notes } = await importing([...begun('old', runId, {}, long), terminated(3, long)]);
  expect(tally).toEqual({ imported: 0, known: 0, expired: 1, refused: 0 });
  expect(notes.join()).toMatch(
    /1 closed runs are older than default keeps them \(24 h\).*Raise its retention/,
  );
});

test('parts that came before a restart are asked for again', async () => {
  const connection = await OperatorConnection.open(service.engine.connection);
  const request = { namespace: 'default', execution: { workflowId: 'w', runId: randomUUID() } };
  const lost = { ...request, token: Buffer.from('of another engine') };
  expect(await errorOf(connection.importPart(lost))).toEqual(
    refusal(3, 'Token: the parts before are not here any more; import the run again.'),
  );
  expect(await errorOf(connection.importPart(request))).toEqual(
    refusal(3, 'ImportWorkflowExecution cannot import empty history events'),
  );
  expect(
    await errorOf(connection.importPart({ ...request, execution: { workflowId: 'w', runId: 'x' } })),
  ).toEqual(refusal(3, 'Invalid RunId.'));
  await connection.close();
});

test('a key of some namespaces imports nothing: a history may start runs in others', async () => {
  const key = 'a-key-of-at-least-16-signs';
  const sha256 = createHash('sha256').update(key).digest('hex');
  const keys = [{ name: 'ci', sha256, namespaces: ['default'] }];
  const engine = await startEngine({ kind: 'embedded', dataDir: join(dir(), 'keys'), port: 0, keys });
  const connection = await OperatorConnection.open({ ...engine.connection, apiKey: key });
  const path = join(dir(), 'history.json');
  await writeFile(path, JSON.stringify({ events: begun('w', randomUUID()) }));
  const options = { connection, namespace: 'default', path, report: () => undefined };
  await expect(
    importHistories({ ...options, ensureSearchAttributes: () => Promise.resolve(true) }),
  ).rejects.toThrow('takes no histories in (Request unauthorized.)');
  await connection.close();
  await engine.stop();
});

test('what holds no histories is named', async () => {
  const path = join(dir(), 'some');
  await expect(importInto(service, path)).rejects.toThrow(`${path} is not there`);
  await writeFile(path, 'no JSON');
  await expect(importInto(service, path)).rejects.toThrow(`${path} holds no history`);
  const empty = join(dir(), 'folder');
  await mkdir(empty);
  await expect(importInto(service, empty)).rejects.toThrow(`${empty} has no index.json`);
  const newer = JSON.stringify({ format: 'steadyhand-histories', version: 2 });
  await writeFile(join(empty, 'index.json'), newer);
  await expect(importInto(service, empty)).rejects.toThrow('has version 2, and this release reads 1 alone');
  await expect(exportFrom(service, empty)).rejects.toThrow(`${empty} is not empty`);
});

test('a run whose worker is at work is told, as its history may not be whole', async () => {
  await service.client.workflow.start('any', { workflowId: 'busy', taskQueue: 'busy' });
  const worker = new RawWorker(service, 'busy');
  const task = await worker.poll();
  const notes = await exportFrom(service, join(dir(), 'out'), "WorkflowId = 'busy'");
  expect(notes).toEqual([expect.stringMatching(/^busy \(.*Stop the workers and export again\.$/)]);
  await worker.complete(task, [closeCommand]);
});
