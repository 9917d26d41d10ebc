import type { ApiAnswer } from '../../../server/index.ts';
import { WorkflowBench } from './bench.ts';

/** Where no worker answers, what only it could tell is said to be missing, and nobody waits for long. */

let bench: WorkflowBench;

beforeAll(async () => {
  bench = await WorkflowBench.start();
  await bench.stopWorker();
  await bench.serve();
}, 180_000);

afterAll(() => bench.stop(), 60_000);

test('queries time out, and the stack trace and the interface say why they are empty', async () => {
  const { workflowId: id } = await bench.begin('order', ['alone']);
  const [query, update, trace, takes] = await Promise.all([
    bench.of(id, 'POST /query', {}, { name: 'total' }),
    bench.of(id, 'POST /update', {}, { name: 'rename', args: ['x'], timeout_s: 1 }),
    bench.of<ApiAnswer<'GET /v1/workflows/{workflow_id}/stack_trace'>>(id, 'GET /stack_trace'),
    bench.of<ApiAnswer<'GET /v1/workflows/{workflow_id}/interface'>>(id, 'GET /interface'),
  ]);
  expect([409, 504]).toContain(query.status);
  expect([update.status, update.body]).toEqual([
    200,
    expect.objectContaining({ stage: 'admitted', result: null }),
  ]);
  expect([trace.status, trace.body.stack_trace, trace.body.error]).toEqual([200, null, expect.any(String)]);
  expect([takes.status, takes.body.queries, takes.body.error]).toEqual([200, [], expect.any(String)]);
});

test('an actor whose machine is not known is explained by nobody then', async () => {
  await bench.serve({ machines: async () => await Promise.resolve({}) });
  const { workflowId: id } = await bench.begin('approval', [{ input: {} }]);
  const { body } = await bench.of<ApiAnswer<'GET /v1/workflows/{workflow_id}/explanation'>>(
    id,
    'GET /explanation',
  );
  expect(body).toMatchObject({ known: false, machine: null, definition: null, explanation: null, steps: [] });
  expect(body.reason).toContain('approval');
  expect(Object.keys(body.queries?.errors ?? {}).toSorted()).toEqual(['changes', 'machine', 'snapshot']);
});
