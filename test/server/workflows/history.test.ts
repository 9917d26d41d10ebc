import { Worker } from '@temporalio/worker';
import path from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { until, WorkflowBench } from './bench.ts';

/** Histories: in pages both ways, as they grow, as a file, and their payloads. */

type Event = Readonly<Record<string, unknown>> & { readonly eventId: string; readonly eventType: string };
type Page = { readonly run_id: string; readonly data: readonly Event[]; readonly next_page: string | null };
type Shown = Readonly<Record<string, unknown>>;

let bench: WorkflowBench;

beforeAll(async () => {
  bench = await WorkflowBench.start();
  await bench.serve();
}, 180_000);

afterAll(async () => {
  await bench.stopWorker();
  await bench.stop();
}, 60_000);

const pageOf = async (id: string, query: Readonly<Record<string, string>> = {}) =>
  (await bench.of<Page>(id, 'GET /history', query)).body;

async function allOf(id: string, query: Readonly<Record<string, string>>): Promise<readonly Event[]> {
  const events: Event[] = [];
  let page: string | null = null;
  do {
    const read: Page = await pageOf(id, page === null ? query : { ...query, page });
    events.push(...read.data);
    page = read.next_page;
  } while (page !== null);
  return events;
}

const idsOf = (events: readonly Event[]): number[] => events.map(({ eventId }) => Number(eventId));

/** The first payload of the event of a type. */
function payloadOf(events: readonly Event[], attributes: string, field: string): Shown {
  const event = events.find((each) => each[attributes] !== undefined);
  const fields = event?.[attributes] as Record<string, { payloads: Shown[] }> | undefined;
  return fields?.[field]?.payloads[0] ?? {};
}

async function finished(): Promise<{ readonly id: string; readonly runId: string }> {
  const handle = await bench.begin('order', ['seven']);
  for (const amount of [1, 2, 3]) await handle.signal('pay', amount);
  await handle.signal('finish');
  await handle.result();
  return { id: handle.workflowId, runId: handle.firstExecutionRunId };
}

test('a history is read in pages, oldest or newest first', async () => {
  const { id, runId } = await finished();
  const whole = await pageOf(id);
  expect([whole.run_id, whole.next_page]).toEqual([runId, null]);
  const ids = idsOf(whole.data);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(whole.data.at(-1)?.eventType).toBe('EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED');
  expect(idsOf(await allOf(id, { limit: '2' }))).toEqual(ids);
  expect(idsOf(await allOf(id, { limit: '2', order: 'desc' }))).toEqual(ids.toReversed());
});

test('a payload has its value beside it, in the form asked for', async () => {
  const { id } = await finished();
  const started = 'workflowExecutionStartedEventAttributes';
  const both = payloadOf((await pageOf(id)).data, started, 'input');
  expect(both).toMatchObject({
    metadata: { encoding: Buffer.from('json/plain').toString('base64') },
    data: Buffer.from('"seven"').toString('base64'),
    decoded: { kind: 'json', encoding: 'json/plain', value: 'seven', size_bytes: 7, truncated: false },
  });
  const decoded = payloadOf((await pageOf(id, { payloads: 'decoded' })).data, started, 'input');
  expect(Object.keys(decoded).toSorted()).toEqual(['decoded', 'metadata']);
  const raw = payloadOf((await pageOf(id, { payloads: 'raw' })).data, started, 'input');
  expect(Object.keys(raw).toSorted()).toEqual(['data', 'metadata']);
  expect((await bench.of(id, 'GET /history', { payloads: 'neither' })).status).toBe(400);
});

test('a large payload is cut and leads to all of it', async () => {
  const handle = await bench.begin('order', ['big', 100_000]);
  await handle.signal('finish');
  await handle.result();
  const { data } = await pageOf(handle.workflowId);
  const cut = payloadOf(data, 'workflowExecutionCompletedEventAttributes', 'result');
  expect(cut['data']).toBeUndefined();
  const decoded = cut['decoded'] as { readonly href: string; readonly preview: string };
  expect(decoded).toMatchObject({ kind: 'json', truncated: true, value: null });
  expect(decoded.preview).toMatch(/^\{"name":"big"/);
  const whole = await bench.call<{ value: { big: string } }>(
    'GET /v1/workflows/{workflow_id}/payload',
    decoded.href,
  );
  expect(whole.body.value.big).toHaveLength(100_000);
  const missing = decoded.href.replace(/path=.*/, 'path=no.such');
  expect((await bench.call('GET /v1/workflows/{workflow_id}/payload', missing)).status).toBe(404);
  expect((await bench.of(handle.workflowId, 'GET /payload')).status).toBe(400);
  // What the description shows of it leads there, too.
  const { body } = await bench.of<{ result: { href: string }[] }>(handle.workflowId, 'GET ');
  expect(body.result[0]?.href).toBe(decoded.href);
});

test('bytes, text and what nobody can read are told as what they are', async () => {
  const payload = (encoding: string, data: string | Uint8Array) => ({
    metadata: { encoding: Buffer.from(encoding) },
    data: Buffer.from(data),
  });
  const payloads = [
    payload('binary/plain', new Uint8Array([0, 1, 255])),
    payload('binary/plain', 'words'),
    payload('binary/null', ''),
    payload('binary/encrypted', 'xyz'),
    payload('json/plain', '{broken'),
    payload('json/protobuf', '{"a":"1"}'),
  ];
  const handle = await bench.begin('order', ['x']);
  await bench.temporal.client.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: handle.workflowId },
    signalName: 'unheard',
    input: { payloads },
  });
  // A signal that comes during a task stands in the history after it.
  const event = await until('the signal', async () =>
    (await pageOf(handle.workflowId)).data.find(
      (each) => each['workflowExecutionSignaledEventAttributes'] !== undefined,
    ),
  );
  const { input } = event['workflowExecutionSignaledEventAttributes'] as {
    input: { payloads: { decoded: { href: string | null } }[] };
  };
  expect(input.payloads.map(({ decoded }) => decoded)).toMatchObject([
    { kind: 'binary', size_bytes: 3, value: null, href: expect.any(String) as unknown },
    { kind: 'text', value: 'words', href: null },
    { kind: 'null' },
    { kind: 'unknown', error: expect.stringContaining('binary/encrypted') as unknown },
    { kind: 'unknown', error: expect.stringContaining('not JSON') as unknown },
    { kind: 'json', value: { a: '1' } },
  ]);
  const whole = await bench.call(
    'GET /v1/workflows/{workflow_id}/payload',
    input.payloads[0]?.decoded.href ?? '',
  );
  expect(whole.body).toMatchObject({ kind: 'binary', base64: 'AAH/' });
  await handle.terminate();
});

test('this server’s secrets are in no form of a history', async () => {
  const handle = await bench.begin('order', ['the key is sk-test-0123456789']);
  for (const payloads of ['both', 'raw', 'decoded']) {
    const { data } = await pageOf(handle.workflowId, { payloads });
    const text = JSON.stringify(data);
    const base64 = payloadOf(data, 'workflowExecutionStartedEventAttributes', 'input')['data'];
    const raw = Buffer.from((base64 as string | undefined) ?? '', 'base64').toString();
    expect(`${text} ${raw}`).not.toContain('sk-test-0123456789');
  }
  const { body } = await bench.of<{ events: Event[] }>(handle.workflowId, 'GET /history.json');
  const data = payloadOf(body.events, 'workflowExecutionStartedEventAttributes', 'input')['data'];
  expect(Buffer.from(data as string, 'base64').toString()).toBe('"the key is [hidden]"');
  await handle.terminate();
});

test('with wait, pages go on as the history grows, and end when the run has closed', async () => {
  const handle = await bench.begin('order', ['waited for']);
  const id = handle.workflowId;
  const seen: Event[] = [];
  let page = '';
  const read = async (): Promise<string | null> => {
    const got = await pageOf(id, { wait: 'true', ...(page === '' ? {} : { page }) });
    seen.push(...got.data);
    page = got.next_page ?? '';
    return got.next_page;
  };
  await until('the first task', async () => {
    await read();
    return seen.some(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
  });
  const next = read();
  await handle.signal('finish');
  await next;
  expect(seen.some(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED')).toBe(true);
  await until('the end', async () => (await read()) === null);
  expect(seen.at(-1)?.eventType).toBe('EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED');
  expect(idsOf(seen)).toEqual(seen.map((_, index) => index + 1));
  expect((await bench.of(id, 'GET /history', { wait: 'true', order: 'desc' })).status).toBe(400);
  expect((await bench.of(id, 'GET /history', { page: 'nonsense' })).status).toBe(400);
});

test('the stream sends what there is, then what comes, and says how it ended', async () => {
  const handle = await bench.begin('order', ['streamed']);
  const place = `${bench.url}/v1/workflows/${encodeURIComponent(handle.workflowId)}/history/stream`;
  const stream = await fetch(place);
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const text = stream.text();
  await handle.signal('finish');
  await handle.result();
  const frames = (await text).split('\n\n').filter((frame) => frame.includes('data: '));
  const parsed = frames.map((frame) => ({
    type: /^event: (.*)$/m.exec(frame)?.[1],
    id: /^id: (.*)$/m.exec(frame)?.[1],
    data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '') as Event,
  }));
  const events = parsed.filter(({ type }) => type === 'workflow_event');
  expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index + 1));
  expect(parsed.at(-1)).toMatchObject({
    type: 'history_end',
    data: {
      type: 'history_end',
      run_id: handle.firstExecutionRunId,
      last_event_id: events.length,
      closed_by: 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
      next_run_id: null,
    },
  });
  // A browser that was cut off goes on behind the last event that it had.
  const rest = await (await fetch(place, { headers: { 'last-event-id': String(events.length - 1) } })).text();
  expect([...rest.matchAll(/^id: (.*)$/gm)].map(([, id]) => Number(id))).toEqual([events.length]);
});

test('the download is a file that Temporal replays', async () => {
  const { id } = await finished();
  const answer = await fetch(`${bench.url}/v1/workflows/${encodeURIComponent(id)}/history.json`);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=order_.*\.json$/);
  const file = historyFromJSON(await answer.json());
  const workflowBundle = await bundleWorkflows(path.resolve(__dirname, 'workflows.ts'));
  await Worker.runReplayHistory({ workflowBundle }, file, id);
});
