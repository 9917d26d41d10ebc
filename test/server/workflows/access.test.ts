import { clientKey } from '../../../server/auth/client-key.ts';
import { WorkflowBench } from './bench.ts';

/** Which key may read the workflows of the namespace, and which may act on them. */

const KEYS = {
  operator: 'sk-the-operator-0123456789',
  reader: 'sk-the-reader-0123456789',
  actor: 'sk-the-actor-0123456789',
  client: 'sk-the-client-0123456789',
};

let bench: WorkflowBench;

beforeAll(async () => {
  bench = await WorkflowBench.start();
  await bench.serve(
    {},
    {
      access: {
        kind: 'keys',
        keys: [
          clientKey(KEYS.operator),
          { ...clientKey(KEYS.reader, 'reader'), workflows: 'read' },
          { ...clientKey(KEYS.actor, 'actor'), workflows: 'act' },
          clientKey(KEYS.client, 'client'),
        ],
      },
    },
  );
}, 180_000);

afterAll(async () => {
  await bench.stopWorker();
  await bench.stop();
}, 60_000);

const asking = async (who: keyof typeof KEYS, route: string, place: string, body?: unknown) =>
  (await bench.call(route, place, body, { 'x-api-key': KEYS[who] })).status;

test('a key does what it was given and no more', async () => {
  const { workflowId } = await bench.begin('order', ['guarded']);
  const place = `/v1/workflows/${encodeURIComponent(workflowId)}`;
  const one = '/v1/workflows/{workflow_id}';
  const reads: [string, string, unknown?][] = [
    ['GET /v1/workflow_namespace', '/v1/workflow_namespace'],
    ['GET /v1/workflows', '/v1/workflows'],
    ['GET /v1/workflow_count', '/v1/workflow_count'],
    [`GET ${one}`, place],
    [`GET ${one}/runs`, `${place}/runs`],
    [`GET ${one}/history`, `${place}/history`],
    [`GET ${one}/history.json`, `${place}/history.json`],
    [`GET ${one}/explanation`, `${place}/explanation`],
    [`GET ${one}/stack_trace`, `${place}/stack_trace`],
    [`GET ${one}/interface`, `${place}/interface`],
    [`POST ${one}/query`, `${place}/query`, { name: 'total' }],
    ['GET /v1/task_queues/{name}', `/v1/task_queues/${bench.temporal.taskQueue}`],
  ];
  for (const [route, at, body] of reads) {
    expect([route, await asking('client', route, at, body)]).toEqual([route, 403]);
    expect([route, await asking('reader', route, at, body)]).toEqual([route, 200]);
  }
  for (const at of [`${place}/history/stream`, `${place}/payload?event_id=1&path=x`]) {
    const { status } = await fetch(bench.url + at, { headers: { 'x-api-key': KEYS.client } });
    expect([at, status]).toEqual([at, 403]);
  }
  const batch = { action: 'cancel', workflows: [{ workflow_id: 'none' }] };
  const acts: [string, string, unknown?][] = [
    [`POST ${one}/signal`, `${place}/signal`, { name: 'pay', args: [1] }],
    [`POST ${one}/update`, `${place}/update`, { name: 'rename', args: ['x'] }],
    ['POST /v1/workflow_batches', '/v1/workflow_batches', batch],
    [`POST ${one}/cancel`, `${place}/cancel`],
    [`POST ${one}/terminate`, `${place}/terminate`],
  ];
  for (const [route, at, body] of acts) {
    expect([route, await asking('reader', route, at, body)]).toEqual([route, 403]);
    expect([route, await asking('client', route, at, body)]).toEqual([route, 403]);
  }
  const reset = { to: 'last_workflow_task' };
  expect(await asking('reader', `POST ${one}/reset`, `${place}/reset`, reset)).toBe(403);
  for (const [route, at, body] of acts.slice(0, 4)) {
    expect([route, await asking('actor', route, at, body)]).toEqual([route, 200]);
  }
  const { body } = await bench.call(`GET ${one}/history`, `${place}/history`, undefined, {
    'x-api-key': KEYS.operator,
  });
  expect(JSON.stringify(body)).toContain('"identity":"steadyhand key actor"');
  const { status } = await fetch(`${bench.url}/v1/workflows`);
  expect(status).toBe(401);
});
