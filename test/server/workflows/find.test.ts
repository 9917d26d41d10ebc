import type { ApiAnswer } from '../../../server/index.ts';
import { until, WorkflowBench } from './bench.ts';

/** Finding workflows, and what is told of them, on a real engine. */

type Summary = ApiAnswer<'GET /v1/workflows'>['data'][number];
type Workflow = ApiAnswer<'GET /v1/workflows/{workflow_id}'>;
type Failed = { readonly error: { readonly type: string; readonly message: string } };

let bench: WorkflowBench;

beforeAll(async () => {
  bench = await WorkflowBench.start();
  await bench.serve();
}, 180_000);

afterAll(async () => {
  await bench.stopWorker();
  await bench.stop();
}, 60_000);

const list = async (query: string, more: Readonly<Record<string, string>> = {}) =>
  await bench.call<{ data: Summary[]; next_page: string | null }>(
    'GET /v1/workflows',
    `/v1/workflows?${new URLSearchParams({ query, ...more }).toString()}`,
  );

const describe = async (workflowId: string, runId = '') =>
  (await bench.of<Workflow>(workflowId, 'GET ', runId === '' ? {} : { run_id: runId })).body;

test('workflows are listed with what they carry, page by page', async () => {
  const begun = await Promise.all(
    [1, 2, 3].map((number) =>
      bench.begin('order', [`list ${number}`], {
        memo: { note: `number ${number}` },
        searchAttributes: { Customer: ['lister'] },
      }),
    ),
  );
  const query = `Customer = 'lister'`;
  await until('all to be listed', async () => (await list(query)).body.data.length === 3);
  const first = (await list(query, { limit: '2' })).body;
  expect(first.data).toHaveLength(2);
  // What arrives between two pages is on none of them.
  const late = await bench.begin('order', ['late'], { searchAttributes: { Customer: ['lister'] } });
  await until('the late one', async () => (await list(query)).body.data.length === 4);
  const second = (await list(query, { limit: '2', page: first.next_page ?? '' })).body;
  const ids = [...first.data, ...second.data].map(({ workflow_id }) => workflow_id);
  expect(ids.toSorted()).toEqual(begun.map(({ workflowId }) => workflowId).toSorted());
  const [one] = first.data;
  expect(one).toMatchObject({
    type: 'workflow',
    workflow_type: 'order',
    status: 'running',
    task_queue: bench.temporal.taskQueue,
    close_time: null,
    duration_ms: null,
    parent: null,
    search_attributes: { Customer: { type: 'Keyword', value: 'lister' } },
  });
  // A list has it of closed runs alone.
  expect(one?.history_length).toBeNull();
  const whole = await describe(one?.workflow_id ?? '');
  expect([whole.search_attributes['Customer'], whole.history_length]).toEqual([
    { type: 'Keyword', value: 'lister' },
    expect.any(Number),
  ]);
  expect(one?.memo['note']).toMatchObject({
    kind: 'json',
    value: expect.stringMatching(/^number /) as unknown,
  });
  for (const { workflowId } of [...begun, late])
    await bench.temporal.client.workflow.getHandle(workflowId).terminate();
});

test('a query that the server refuses is a 400 in its words, and a page belongs to its query', async () => {
  const bad = await list('NoSuchThing = 1');
  expect([bad.status, (bad.body as unknown as Failed).error.message]).toEqual([
    400,
    expect.stringContaining('NoSuchThing'),
  ]);
  expect((await list(`WorkflowType = 'order'`, { page: 'nonsense' })).status).toBe(400);
  const other = await list('', { page: Buffer.from('{"query":"x","token":""}').toString('base64url') });
  expect((other.body as unknown as Failed).error.message).toMatch(/^page: /);
  expect((await list('', { limit: '0' })).status).toBe(400);
});

test('counts come by status, and a bad query is a 400', async () => {
  const mine = { searchAttributes: { Customer: ['counter'] } };
  const open = await bench.begin('order', ['open'], mine);
  const done = await bench.begin('order', ['done'], mine);
  await done.signal('finish');
  await done.result();
  const count = async (query: string) =>
    await bench.call(
      'GET /v1/workflow_count',
      `/v1/workflow_count?${new URLSearchParams({ query }).toString()}`,
    );
  await until('both to be counted', async () => {
    const { by_status } = (await count(`Customer = 'counter'`)).body as { by_status: object };
    return JSON.stringify(by_status) !== '{}' && 'completed' in by_status;
  });
  expect((await count(`Customer = 'counter'`)).body).toMatchObject({
    count: 2,
    by_status: { running: 1, completed: 1 },
  });
  const all = (await count('')).body as { count: number; by_status: Record<string, number> };
  expect(all.count).toBe(Object.values(all.by_status).reduce((sum, each) => sum + each, 0));
  expect((await count('Customer >')).status).toBe(400);
  await open.terminate();
});

test('a run tells what it waits for: timers, children, activities with their last failure', async () => {
  const handle = await bench.begin('waiting');
  const found = await until('the activity to have failed', async () => {
    const seen = await describe(handle.workflowId);
    const isFailed = seen.pending_activities[0]?.last_failure != null;
    return isFailed && seen.pending_timers?.length === 1 && seen.pending_children.length === 1
      ? seen
      : undefined;
  });
  expect(found).toMatchObject({
    namespace: 'default',
    status: 'running',
    continued_from: null,
    continued_to: null,
    result: null,
    failure: null,
    input: [],
    actions: {
      signal: { available: true, reason: null },
      cancel: { available: true },
      reset: { available: true, reason: null },
    },
  });
  expect(found.pending_activities).toEqual([
    expect.objectContaining({
      activity_type: 'fail',
      state: 'scheduled',
      attempt: 2,
      maximum_attempts: 3,
      next_attempt_time: expect.any(String) as unknown,
      last_failure: expect.objectContaining({
        kind: 'application',
        type: 'Error',
        // This server's key does not leave it.
        message: 'no luck with [hidden]',
        stack_trace: expect.stringContaining('Error: no luck with [hidden]') as unknown,
      }) as unknown,
    }),
  ]);
  const [timer] = found.pending_timers ?? [];
  expect(timer).toMatchObject({
    duration_ms: 3 * 3_600_000,
    summary: { kind: 'json', value: 'until the shop opens' },
  });
  expect(Date.parse(timer?.fires_at ?? '') - Date.parse(timer?.started_time ?? '')).toBe(3 * 3_600_000);
  expect(found.pending_children).toEqual([
    expect.objectContaining({ workflow_id: 'child-of-waiting', workflow_type: 'order' }),
  ]);
  const child = await describe('child-of-waiting');
  expect(child).toMatchObject({
    parent: { workflow_id: handle.workflowId, run_id: handle.firstExecutionRunId },
    root: { workflow_id: handle.workflowId },
  });
  expect(child.input[0]).toMatchObject({ kind: 'json', value: 'child' });
  // What was read before is not read again, and what came since is.
  expect((await describe(handle.workflowId)).pending_timers).toEqual(found.pending_timers);
  await handle.terminate('seen enough');
  expect(await describe(handle.workflowId)).toMatchObject({
    status: 'terminated',
    close_reason: 'seen enough',
    pending_timers: [],
    actions: { signal: { available: false, reason: 'The run has closed.' }, query: { available: true } },
  });
});

test('a failed run tells its failure with the causes', async () => {
  const handle = await bench.begin('failing');
  await handle.result().catch(() => undefined);
  const { failure, status, close_event_id } = await describe(handle.workflowId);
  expect([status, close_event_id]).toEqual(['failed', expect.any(Number)]);
  expect(failure).toMatchObject({
    kind: 'application',
    type: 'OrderLost',
    message: 'the order is lost',
    non_retryable: true,
    details: [{ kind: 'json', value: { order: 7 } }],
    cause: { message: 'the shelf is empty', cause: null },
  });
});

test('a chain is told as its runs: where each came from and what came of it', async () => {
  const handle = await bench.begin('twice', [2]);
  await handle.result();
  const runs = await until('all three to be listed', async () => {
    const { body } = await bench.of<{ data: Record<string, unknown>[] }>(handle.workflowId, 'GET /runs');
    return body.data.length === 3 && body.data[0]?.['status'] === 'completed' ? body.data : undefined;
  });
  const ids = runs.map((run) => String(run['run_id']));
  expect(runs.map((run) => run['continued_from'])).toEqual([
    { run_id: ids[1], kind: 'continue_as_new' },
    { run_id: ids[2], kind: 'continue_as_new' },
    null,
  ]);
  expect(ids[2]).toBe(handle.firstExecutionRunId);
  expect(runs.map((run) => run['first_run_id'])).toEqual([ids[2], ids[2], ids[2]]);
  const oldest = await describe(handle.workflowId, ids[2]);
  expect(oldest).toMatchObject({
    status: 'continued_as_new',
    continued_to: { run_id: ids[1], kind: 'continue_as_new' },
    result: [{ kind: 'json', value: 1 }],
  });
  const one = await bench.of<{ data: unknown[]; next_page: string }>(handle.workflowId, 'GET /runs', {
    limit: '1',
  });
  expect(one.body.data).toHaveLength(1);
  expect(one.body.next_page).not.toBeNull();
});

test('the namespace tells what a query may name and what the engine can do', async () => {
  const { body } = await bench.call('GET /v1/workflow_namespace', '/v1/workflow_namespace');
  expect(body).toMatchObject({
    name: 'default',
    access: 'act',
    codec: false,
    machines: ['approval'],
    capabilities: {
      count_by_status: { available: true },
      reset: { available: true },
      batch: { available: true },
    },
  });
  expect(body['search_attributes']).toEqual(
    expect.arrayContaining([
      { name: 'Customer', type: 'Keyword', system: false },
      { name: 'WorkflowId', type: 'Keyword', system: true },
      { name: 'StartTime', type: 'Datetime', system: true },
    ]),
  );
});

test('a task queue tells who polls it', async () => {
  const name = bench.temporal.taskQueue;
  const found = await until('the pollers', async () => {
    const { body } = await bench.call<ApiAnswer<'GET /v1/task_queues/{name}'>>(
      'GET /v1/task_queues/{name}',
      `/v1/task_queues/${encodeURIComponent(name)}`,
    );
    return body.workflow.pollers.length > 0 && body.activity.pollers.length > 0 ? body : undefined;
  });
  expect(found.workflow.pollers[0]).toMatchObject({
    identity: 'the-worker',
    last_access_time: expect.any(String) as unknown,
  });
  expect(found.activity.backlog).toMatchObject({ count: 0 });
});

test('what is not there is a 404, and a run id that is none a 400', async () => {
  for (const route of [
    'GET ',
    'GET /runs',
    'GET /history',
    'GET /history/stream',
    'GET /history.json',
    'GET /explanation',
    'GET /stack_trace',
    'GET /interface',
  ]) {
    const { status, body } = await bench.of(`no such workflow`, route);
    expect([route, status, (body as unknown as Failed).error.type]).toEqual([route, 404, 'not_found_error']);
  }
  const handle = await bench.begin('order', ['x']);
  expect((await bench.of(handle.workflowId, 'GET ', { run_id: 'nonsense' })).status).toBe(400);
  const unknown = '11111111-1111-4111-8111-111111111111';
  expect((await bench.of(handle.workflowId, 'GET ', { run_id: unknown })).status).toBe(404);
  await handle.terminate();
});
