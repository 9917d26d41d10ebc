import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { readIndex } from '../../../engine/histories/history-index.ts';
import { ensureSearchAttributes } from '../../../engine/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openGate } from '../embedded/support/activities.ts';
import { expectReplays, onQueue, startTestWorker } from '../embedded/support/worker.ts';
import { add, bump, type counter, finish, total } from '../embedded/workflows/index.ts';
import { until } from '../until.ts';
import { type Kind, type Service, exportFrom, importInto, startService } from './services.ts';

jest.setTimeout(240_000);

const QUEUE = 'moved';
const TEXT = 'MovedText';
// STEADYHAND_TEST_ENGINE=dev-server (with the CLI on PATH) moves from a real server, too. With =cluster it goes both ways, if the
// server at TEMPORAL_ADDRESS has clusterMetadata.enableGlobalNamespace.
const REAL: Readonly<Record<string, (readonly [Kind, Kind])[]>> = {
  'dev-server': [['dev-server', 'embedded']],
  cluster: [
    ['cluster', 'embedded'],
    ['embedded', 'cluster'],
    ['cluster', 'cluster'],
  ],
};
const pairs = [
  ['embedded', 'embedded'] as const,
  ...(REAL[process.env['STEADYHAND_TEST_ENGINE'] ?? ''] ?? []),
];
const folder = temporaryFolder();

async function eventsOf(client: Client, workflowId: string, runId?: string): Promise<unknown[]> {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const { events } = JSON.parse(historyToJSON(history)) as { events: Record<string, unknown>[] };
  return events.map(withoutNamespace);
}

/** The events of a run as they were exported. */
async function exportedEvents(exported: string, workflowId: string): Promise<unknown[]> {
  const { runs } = await readIndex(exported);
  const run = runs.find((one) => one.workflowId === workflowId);
  const text = await readFile(join(exported, run?.file ?? ''), 'utf8');
  const { events } = JSON.parse(text) as { events: unknown[] };
  return events.map(withoutNamespace);
}

/** Lists the statuses of runs. */
async function statuses(client: Client, query: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { status } of client.workflow.list({ query })) found.push(status.name);
  return found.toSorted();
}

/** What names a namespace by its id or its version is the target's. */
function withoutNamespace(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNamespace);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !/^version$|namespace/i.test(key))
      .map(([key, field]) => [key, withoutNamespace(field)]),
  );
}

const closedIds = ['empty', 'heir', 'heir/child', 'failed'];
const openIds = ['counter', 'sleeper', 'gated', 'parent', 'child', 'untouched', 'delayed'];

/** Runs in every state that a move has to deal with. Their workers are gone afterwards. */
async function fill({ client, engine }: Service): Promise<void> {
  await ensureSearchAttributes(engine, { [TEXT]: 'Text' });
  // Without activities, so that one that is scheduled stays so.
  const worker = await startTestWorker({ engine }, QUEUE, { activities: {} });
  const { workflow } = client;
  const start = (type: string, id: string, ...args: unknown[]) =>
    workflow.start(type, {
      ...onQueue(QUEUE, id, ...args),
      searchAttributes: { [TEXT]: [`words of ${id}`] },
    });
  await (await start('empty', 'empty')).result();
  await (await start('heir', 'heir', 0)).result();
  await (await start('succeedsOnAttempt', 'failed', 9)).result().catch(() => undefined);
  const counting = await start('counter', 'counter');
  await counting.signal(add, 1);
  await counting.executeUpdate(bump, { args: [2], updateId: 'once' });
  await start('sleeper', 'sleeper', 4000);
  await start('gated', 'gated', 'gate of the move');
  await start('parentOf', 'parent', 'child', 5000);
  const isWaiting = async (id: string, field: string): Promise<boolean> =>
    (await eventsOf(client, id).catch(() => [])).some((event) => field in (event as object));
  await until(() => isWaiting('sleeper', 'timerStartedEventAttributes'));
  await until(() => isWaiting('gated', 'activityTaskScheduledEventAttributes'));
  await until(() => isWaiting('child', 'timerStartedEventAttributes'));
  await until(() => isWaiting('parent', 'childWorkflowExecutionStartedEventAttributes'));
  await until(async () => (await counting.query(total)) === 3);
  await worker.close();
  await counting.signal(add, 10);
  await start('empty', 'untouched');
  await workflow.start('empty', { ...onQueue(QUEUE, 'delayed'), startDelay: '3s' });
}

describe.each(pairs)('from %s to %s', (from, to) => {
  let source: Service;
  let target: Service;
  let exportNotes: string[];
  const exported = join(folder, `${from}-${to}`);

  beforeAll(async () => {
    source = await startService(from, join(folder, `source-${from}-${to}`));
    target = await startService(to, join(folder, `target-${from}-${to}`));
    await fill(source);
    exportNotes = await exportFrom(source, exported);
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  test('every run arrives, closed ones with all that is listed and told of them', async () => {
    const { tally, notes } = await importInto(target, exported);
    expect([...exportNotes, ...notes]).toEqual([]);
    expect(tally).toEqual({ imported: 12, known: 0, expired: 0, refused: 0 });
    for (const workflowId of closedIds) {
      const [there, here] = [source, target].map(({ client }) => client.workflow.getHandle(workflowId));
      const [before, after] = [await there!.describe(), await here!.describe()];
      const told = ({ status, type, runId, startTime, closeTime, historyLength }: typeof before): object => ({
        status: status.name,
        type,
        runId,
        // A cluster counts the run from its import.
        startTime: to === 'cluster' ? undefined : startTime,
        closeTime,
        historyLength,
      });
      expect(told(after)).toEqual(told(before));
      expect(await eventsOf(target.client, workflowId)).toEqual(await eventsOf(source.client, workflowId));
    }
    const { client } = target;
    await until(async () => (await statuses(client, "WorkflowId = 'heir'")).length === 2);
    expect(await statuses(client, "WorkflowId = 'heir'")).toEqual(['COMPLETED', 'CONTINUED_AS_NEW']);
    await until(async () => (await statuses(client, `${TEXT} = 'counter'`)).join() === 'RUNNING');
  });

  test('the same histories again change nothing', async () => {
    expect((await importInto(target, exported)).tally).toMatchObject({ imported: 0, known: 12, refused: 0 });
  });

  test('open runs go on: timers, activities, children, signals, updates', async () => {
    const { client, engine } = target;
    const worker = await startTestWorker({ engine }, QUEUE);
    try {
      const handle = (id: string) => client.workflow.getHandle(id);
      expect(await handle('sleeper').result()).toBe('awake');
      expect(await handle('parent').result()).toBe('awake');
      await handle('untouched').result();
      await handle('delayed').result();
      await until(() => {
        openGate('gate of the move');
        return handle('gated')
          .describe()
          .then(({ status }) => status.name === 'COMPLETED');
      });
      expect(await handle('gated').result()).toBe('passed gate of the move');
      const counting = client.workflow.getHandle<typeof counter>('counter');
      expect(await counting.query(total)).toBe(13);
      // An update that it had already is known by its id.
      expect(await counting.executeUpdate(bump, { args: [1000], updateId: 'once' })).toBe(3);
      await counting.signal(finish);
      expect(await counting.result()).toBe(13);
      for (const id of openIds) {
        const before = await exportedEvents(exported, id);
        expect((await eventsOf(client, id)).slice(0, before.length)).toEqual(before);
      }
      await expectReplays(client, ...openIds, ...closedIds);
    } finally {
      await worker.close();
    }
  });

  test('what never was there is still not there', async () => {
    await expect(target.client.workflow.getHandle('nobody').describe()).rejects.toThrow(
      WorkflowNotFoundError,
    );
  });
});
