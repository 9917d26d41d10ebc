import type { ApiAnswer } from '../../../server/index.ts';
import { until, WorkflowBench } from './bench.ts';

/** Asking workflows and acting on them. */

type Failed = { readonly error: { readonly type: string; readonly message: string } };
type Workflow = ApiAnswer<'GET /v1/workflows/{workflow_id}'>;
type Batch = ApiAnswer<'POST /v1/workflow_batches'>;

let bench: WorkflowBench;

beforeAll(async () => {
  bench = await WorkflowBench.start();
  await bench.serve();
}, 180_000);

afterAll(async () => {
  await bench.stopWorker();
  await bench.stop();
}, 60_000);

const faultOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as Failed).error?.type,
  (body as Failed).error?.message,
];

const statusOf = async (id: string): Promise<string> =>
  (await bench.of<{ status: string }>(id, 'GET ')).body.status;

test('signals, queries and updates with JSON arguments', async () => {
  const { workflowId: id } = await bench.begin('order', ['asked']);
  const sent = await bench.of(id, 'POST /signal', {}, { name: 'pay', args: [12] });
  expect(sent.body).toEqual({ type: 'workflow_action', action: 'signal', workflow_id: id, run_id: null });
  const answer = await bench.of<{ result: unknown[] }>(id, 'POST /query', {}, { name: 'total' });
  expect(answer.body.result[0]).toMatchObject({ kind: 'json', value: 12 });
  const update = await bench.of(id, 'POST /update', {}, { name: 'rename', args: ['eight'], update_id: 'u1' });
  expect(update.body).toMatchObject({
    stage: 'completed',
    update_id: 'u1',
    result: [{ kind: 'json', value: 'asked' }],
    failure: null,
  });
  // The same id is the same update, and is not done again.
  const again = await bench.of(id, 'POST /update', {}, { name: 'rename', args: ['nine'], update_id: 'u1' });
  expect(again.body).toMatchObject({ result: [{ value: 'asked' }] });
  const refused = await bench.of(id, 'POST /update', {}, { name: 'rename', args: [''] });
  expect(refused.status).toBe(200);
  expect(refused.body).toMatchObject({ result: null, failure: { message: 'a name is not empty' } });
  // The history says whose doing it was.
  const { body } = await bench.of<{ data: Record<string, { identity?: string }>[] }>(id, 'GET /history');
  const signaled = body.data.find((event) => event['workflowExecutionSignaledEventAttributes']);
  expect(signaled?.['workflowExecutionSignaledEventAttributes']?.identity).toBe('steadyhand');
  await bench.of(id, 'POST /terminate', {}, { reason: 'asked enough' });
  expect(await statusOf(id)).toBe('terminated');
});

test('what a workflow does not take is refused in words', async () => {
  const { workflowId: id } = await bench.begin('order', ['refused']);
  const query = await bench.of(id, 'POST /query', {}, { name: 'nothing' });
  expect(faultOf(query)).toEqual([400, 'invalid_request_error', expect.stringContaining('nothing')]);
  expect((await bench.of(id, 'POST /signal', {}, { args: [] })).status).toBe(400);
  expect((await bench.of(id, 'POST /signal', {}, { name: 'pay', argument: 1 })).status).toBe(400);
  expect((await bench.of('none', 'POST /signal', {}, { name: 'pay' })).status).toBe(404);
  await bench.of(id, 'POST /terminate');
  const late = await bench.of(id, 'POST /signal', {}, { name: 'pay', args: [1] });
  expect(faultOf(late)).toEqual([409, 'conflict_error', expect.stringContaining('completed')]);
  expect((await bench.of(id, 'POST /terminate')).status).toBe(409);
});

test('a cancelled workflow ends by its own code', async () => {
  const { workflowId: id } = await bench.begin('order', ['cancelled']);
  const { body } = await bench.of(id, 'POST /cancel', {}, { reason: 'too late' });
  expect(body).toMatchObject({ action: 'cancel', workflow_id: id });
  await until('the end', async () => (await statusOf(id)) === 'canceled');
});

test('what it takes and where it stands, as a worker tells it', async () => {
  const { workflowId: id } = await bench.begin('order', ['told']);
  const { body: takes } = await bench.of<ApiAnswer<'GET /v1/workflows/{workflow_id}/interface'>>(
    id,
    'GET /interface',
  );
  expect(takes.error).toBeNull();
  expect(takes.queries).toEqual([{ name: 'total', description: 'What was paid so far' }]);
  expect(takes.signals).toEqual(
    expect.arrayContaining([
      { name: 'finish', description: null },
      { name: 'pay', description: 'Pays an amount' },
    ]),
  );
  expect(takes.updates.map(({ name }) => name)).toEqual(['rename']);
  const { body: trace } = await bench.of<ApiAnswer<'GET /v1/workflows/{workflow_id}/stack_trace'>>(
    id,
    'GET /stack_trace',
  );
  expect(trace.error).toBeNull();
  expect(trace.stack_trace).toContain('order');
  expect(trace.stacks?.[0]?.frames[0]).toMatchObject({ file_path: expect.any(String) as unknown });
  await bench.of(id, 'POST /terminate');
});

test('a reset begins a new run', async () => {
  const { workflowId: id } = await bench.begin('order', ['reset']);
  await until('the first task', async () => {
    const { body } = await bench.of<{ data: { eventType: string }[] }>(id, 'GET /history');
    return body.data.some(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
  });
  const { body: first } = await bench.of<Workflow>(id, 'GET ');
  const { run_id } = first;
  const answer = await bench.of(id, 'POST /reset', {}, { to: 'first_workflow_task', reason: 'again' });
  const { body: now } = await bench.of<Workflow>(id, 'GET ');
  const { body: before } = await bench.of<Workflow>(id, 'GET ', { run_id });
  const seen = [answer.status, before.status, now.continued_from, before.continued_to];
  expect(seen).toEqual([200, 'terminated', { run_id, kind: 'reset' }, { run_id: now.run_id, kind: 'reset' }]);
  expect(now.run_id).not.toBe(run_id);
  expect(answer.body).toMatchObject({ run_id, new_run_id: now.run_id });
  expect((await bench.of(id, 'POST /reset', {}, { reason: 'neither' })).status).toBe(400);
  await bench.of(id, 'POST /terminate');
});

test('many are acted on by their names, with a result for each', async () => {
  const [one, other] = await Promise.all([bench.begin('order', ['a']), bench.begin('order', ['b'])]);
  const { body } = await bench.call<Batch>('POST /v1/workflow_batches', '/v1/workflow_batches', {
    action: 'terminate',
    reason: 'tidying up',
    workflows: [one, other, { workflowId: 'no such' }].map(({ workflowId }) => ({ workflow_id: workflowId })),
  });
  expect(body).toMatchObject({ id: null, status: 'completed', total: 3, done: 2, failed: 1, more: false });
  expect(body.results?.map(({ workflow_id, status }) => [workflow_id, status])).toEqual([
    [one.workflowId, 'done'],
    [other.workflowId, 'done'],
    ['no such', 'failed'],
  ]);
  const wrong = { action: 'cancel', workflows: [{ workflow_id: 'x' }], query: 'y' };
  expect((await bench.call('POST /v1/workflow_batches', '/v1/workflow_batches', wrong)).status).toBe(400);
  const signal = { action: 'signal', workflows: [{ workflow_id: 'x' }] };
  expect((await bench.call('POST /v1/workflow_batches', '/v1/workflow_batches', signal)).status).toBe(400);
});

test('many are acted on by a query', async () => {
  const mine = { searchAttributes: { Customer: ['batch'] } };
  const begun = await Promise.all(['a', 'b', 'c'].map((name) => bench.begin('order', [name], mine)));
  const query = `Customer = 'batch'`;
  await until('all to be found', async () => {
    const place = `/v1/workflow_count?${new URLSearchParams({ query }).toString()}`;
    return (await bench.call<{ count: number }>('GET /v1/workflow_count', place)).body.count === 3;
  });
  const { body } = await bench.call<Batch>('POST /v1/workflow_batches', '/v1/workflow_batches', {
    action: 'signal',
    query,
    signal: { name: 'pay', args: [5] },
    reason: 'a gift',
  });
  const ended = await until('the batch to end', async () => {
    if (body.id === null) return body;
    const place = `/v1/workflow_batches/${body.id}`;
    const { body: now } = await bench.call<Batch>('GET /v1/workflow_batches/{batch_id}', place);
    return now.status === 'completed' ? now : undefined;
  });
  expect(ended).toMatchObject({ total: 3, done: 3, failed: 0 });
  expect(body.id).not.toBeNull();
  for (const { workflowId } of begun) {
    const answer = await bench.of<{ result: unknown[] }>(workflowId, 'POST /query', {}, { name: 'total' });
    expect(answer.body.result[0]).toMatchObject({ value: 5 });
    await bench.of(workflowId, 'POST /terminate');
  }
  const bad = { action: 'cancel', query: 'Nonsense = 1' };
  expect((await bench.call('POST /v1/workflow_batches', '/v1/workflow_batches', bad)).status).toBe(400);
  const unknown = await bench.call('GET /v1/workflow_batches/{batch_id}', '/v1/workflow_batches/none');
  expect(unknown.status).toBe(404);
});
