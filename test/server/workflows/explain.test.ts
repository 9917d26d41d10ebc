import type { ApiAnswer } from '../../../server/index.ts';
import { until, WorkflowBench } from './bench.ts';

/** Durable actors: their histories as macrosteps, by the machines that are known, or what they tell themselves. */

type Explanation = ApiAnswer<'GET /v1/workflows/{workflow_id}/explanation'>;
type Node = { readonly active?: boolean; readonly states: Readonly<Record<string, Node>> };

let bench: WorkflowBench;
let id = '';

beforeAll(async () => {
  bench = await WorkflowBench.start();
  await bench.serve();
  const handle = await bench.begin('approval', [{ input: {} }]);
  id = handle.workflowId;
  await handle.signal('send', { type: 'note' });
  await handle.executeUpdate('send', { args: [{ type: 'note' }] });
}, 180_000);

afterAll(async () => {
  await bench.stopWorker();
  await bench.stop();
}, 60_000);

const explain = async (query: Readonly<Record<string, string>> = {}) =>
  (await bench.of<Explanation>(id, 'GET /explanation', query)).body;

test('the steps of a known machine, with its definition and where it stands', async () => {
  const told = await until('both notes', async () => {
    const seen = await explain();
    return (seen.explanation?.step_count ?? 0) >= 3 ? seen : undefined;
  });
  expect(told).toMatchObject({
    known: true,
    reason: null,
    machine: { id: 'approval', version: '1', hash: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown },
    explanation: { status: 'running', state: 'waiting', divergence: null, held: null },
    queries: null,
    next_page: null,
  });
  expect(
    told.steps.map((step) => [(step['cause'] as { type: string }).type, step['from'], step['to']]),
  ).toEqual([
    ['start', '', 'waiting'],
    ['signal', 'waiting', 'waiting'],
    ['update', 'waiting', 'waiting'],
  ]);
  expect(told.steps[1]?.['changed']).toEqual([{ path: 'notes', before: 0, after: 1 }]);
  const definition = told.definition as unknown as Node;
  expect([definition.states['waiting']?.active, definition.states['approved']?.active]).toEqual([
    true,
    false,
  ]);
});

test('steps come in pages of one explanation', async () => {
  const first = await explain({ limit: '2' });
  expect(first.steps.map((step) => step['number'])).toEqual([1, 2]);
  const second = await explain({ limit: '2', page: first.next_page ?? '' });
  expect([second.steps.map((step) => step['number']), second.next_page]).toEqual([[3], null]);
  expect((await bench.of(id, 'GET /explanation', { page: 'nonsense' })).status).toBe(400);
});

test('whoever follows a run is answered what is new or changed alone', async () => {
  const handle = await bench.begin('approval', [{ input: {} }]);
  const asked = async (query: Readonly<Record<string, string>>) =>
    (await bench.of<Explanation>(handle.workflowId, 'GET /explanation', query)).body;
  const numbers = ({ steps }: Explanation): unknown[] => steps.map((step) => step['number']);
  await handle.executeUpdate('send', { args: [{ type: 'note' }] });
  const before = await asked({});
  expect(numbers(before)).toEqual([1, 2]);
  const after_event = String(before.explanation?.last_event_id);
  expect(numbers(await asked({ after_event }))).toEqual([]);
  for (let note = 0; note < 3; note += 1) await handle.executeUpdate('send', { args: [{ type: 'note' }] });
  const news = await asked({ after_event, definition: 'false', limit: '2' });
  expect(news).toMatchObject({
    known: true,
    definition: null,
    event_schemas: {},
    explanation: { step_count: 5 },
  });
  expect(numbers(news)).toEqual([3, 4]);
  expect(numbers(await asked({ after_event, limit: '2', page: news.next_page ?? '' }))).toEqual([5]);
  expect(numbers(await asked({ from_step: '4' }))).toEqual([4, 5]);
  expect(numbers(await asked({ from_step: '9' }))).toEqual([]);
  // The same as of a server that has explained nothing yet.
  const kept = await asked({});
  await bench.serve();
  expect(await asked({})).toEqual(kept);
  // The end changes the last step, because it followed from it.
  const last = String(kept.explanation?.last_event_id);
  await handle.executeUpdate('send', { args: [{ type: 'approve' }] });
  await handle.result();
  const end = await asked({ after_event: last });
  expect([numbers(end), end.explanation?.status]).toEqual([[6], 'completed']);
  for (const wrong of [{ from_step: '0' }, { after_event: '-1' }, { definition: 'perhaps' }])
    expect((await bench.of(handle.workflowId, 'GET /explanation', wrong as never)).status).toBe(400);
});

test('two runs are compared up to where they part', async () => {
  const other = await bench.begin('approval', [{ input: {} }]);
  await other.executeUpdate('send', { args: [{ type: 'note' }] });
  await other.executeUpdate('send', { args: [{ type: 'approve' }] });
  const compare = async (left: string, right: string) =>
    await bench.call<ApiAnswer<'GET /v1/workflow_comparison'>>(
      'GET /v1/workflow_comparison',
      `/v1/workflow_comparison?${new URLSearchParams({ left, right }).toString()}`,
    );
  const { body } = await compare(id, other.workflowId);
  expect(body).toMatchObject({
    left: { workflow_id: id, step_count: 3 },
    right: { workflow_id: other.workflowId, step_count: 3 },
    common: 2,
    by: 'event',
    left_step: { to: 'waiting' },
    right_step: { to: 'approved' },
    context: [{ path: 'notes', before: 2, after: 1 }],
  });
  expect((await compare(id, id)).body).toMatchObject({ common: 3, by: null, left_step: null, context: [] });
  const plain = await bench.begin('order', ['plain']);
  expect(await compare(id, plain.workflowId)).toMatchObject({
    status: 400,
    body: {
      error: { message: expect.stringContaining('right: Expected a run of a state machine') as unknown },
    },
  });
  expect((await compare('', id)).status).toBe(400);
  await plain.terminate();
});

test('a workflow that is no actor says why it is not explained', async () => {
  const handle = await bench.begin('order', ['plain']);
  const { body } = await bench.of<Explanation>(handle.workflowId, 'GET /explanation');
  expect(body).toMatchObject({
    known: false,
    reason: expect.stringContaining('order') as unknown,
    definition: null,
  });
  expect(body.queries?.errors['machine']).toEqual(expect.any(String));
  await handle.terminate();
});

test('an actor whose machine is not known here tells it itself', async () => {
  await bench.serve({ machines: async () => await Promise.resolve({}) });
  const told = await explain();
  expect(told).toMatchObject({
    known: false,
    machine: { id: 'approval', version: '1' },
    explanation: null,
    queries: { snapshot: { state: 'waiting', context: { notes: 2 } }, errors: {} },
  });
  const definition = told.definition as unknown as Node;
  expect([definition.active, definition.states['waiting']?.active]).toEqual([true, true]);
  expect(definition.states['approved']?.active).toBe(false);
});
