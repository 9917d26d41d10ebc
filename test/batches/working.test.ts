import { createHash } from 'node:crypto';
import { stopServers } from '../server/harness.ts';
import * as double from '../support/anthropic-upstream.ts';
import { bundleWorkflows } from '../support/workflow-bundle.ts';
import path from 'node:path';
import type { BatchStart } from '../../workflows/batch/batch-start.ts';
import {
  type BatchServer,
  type MessageBatch,
  QUEUES,
  request,
  said,
  startBatchServer,
} from './batch-server.ts';
import { fromUser } from '../support/blocks.ts';

/** Batches with workers and an upstream that speaks the real protocol. */

const CONCURRENCY = 3;

let server: BatchServer;
let upstream: double.AnthropicUpstream;

beforeAll(async () => {
  upstream = await double.startUpstream();
  server = await startBatchServer({
    concurrency: CONCURRENCY,
    anthropic: { apiKey: 'sk-upstream', baseURL: upstream.baseURL },
  });
  await server.work();
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await server.close();
  await stopServers();
  await upstream.close();
}, 120_000);

async function batchOf(count: number, model = 'claude-double'): Promise<MessageBatch> {
  return await server.client.messages.batches.create({
    requests: Array.from({ length: count }, (_, n) => request(`r-${n}`, model, `question ${n}`)),
  });
}

/** A gate that holds answers back until it is opened. */
function gate(): { open: () => void; plan: double.StreamPlan } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, plan: { before: (index) => (index === 0 ? opened : undefined) } };
}

const asked = (): unknown[] =>
  upstream.seen.map(({ body }) => (body['messages'] as { content: string }[])[0]?.content);

test('asks the upstream once for each request, no more of them at a time than allowed', async () => {
  let now = 0;
  let most = 0;
  upstream.answer = async (seen, response) => {
    now += 1;
    most = Math.max(most, now);
    // The first ones wait for each other.
    await upstream.arrived(CONCURRENCY - 1);
    await double.reply(String((seen.body['messages'] as { content: string }[])[0]?.content))(seen, response);
    now -= 1;
  };
  const { id } = await batchOf(20);
  expect((await server.ended(id)).request_counts).toMatchObject({ succeeded: 20 });
  expect((await server.results(id)).map(said)).toEqual(
    Array.from({ length: 20 }, (_, n) => [`r-${n}`, `question ${n}`]),
  );
  expect(upstream.seen).toHaveLength(20);
  expect(new Set(asked())).toEqual(new Set(Array.from({ length: 20 }, (_, n) => `question ${n}`)));
  expect(most).toBe(CONCURRENCY);
  expect(upstream.seen[0]?.headers['authorization']).toBe('Bearer sk-upstream');
});

test('its workflow begins with the task timeout that the server sets', async () => {
  const { id } = await batchOf(1);
  await server.ended(id);
  const { events } = await server.temporal.client.workflow.getHandle(`batch/${id}`).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(Number(started?.workflowTaskTimeout?.seconds)).toBe(4);
});

test('waits out rate limits and overloads, however many there are', async () => {
  const limits = Array.from({ length: 7 }, () => double.rateLimited({ 'retry-after-ms': '5' }));
  upstream.queue.push(...limits, double.overloaded({ 'retry-after-ms': '5' }));
  const { id } = await batchOf(1);
  expect((await server.ended(id)).request_counts).toMatchObject({ succeeded: 1, errored: 0 });
  expect(upstream.seen).toHaveLength(9);
});

test('tries other faults eight times, and says what the last one was', async () => {
  const hint = { 'retry-after-ms': '5' };
  const broken = double.failure(500, 'api_error', 'Internal server error', hint);
  upstream.queue.push(...Array.from({ length: 7 }, () => broken));
  const mended = await batchOf(1);
  await server.ended(mended.id);
  expect((await server.results(mended.id)).map(said)).toEqual([['r-0', 'Hello from upstream.']]);
  expect(upstream.seen).toHaveLength(8);

  upstream.reset();
  upstream.answer = broken;
  const lost = await batchOf(1);
  await server.ended(lost.id);
  expect((await server.results(lost.id)).map(said)).toEqual([['r-0', 'api_error: Internal server error']]);
  expect(upstream.seen).toHaveLength(8);
}, 120_000);

test('asks again when a reply breaks off, and never for what the upstream refuses', async () => {
  upstream.queue.push(double.reply('half of it', { cutAfter: 3 }));
  const cut = await batchOf(1);
  await server.ended(cut.id);
  expect((await server.results(cut.id)).map(said)).toEqual([['r-0', 'Hello from upstream.']]);
  expect(upstream.seen).toHaveLength(2);

  upstream.reset();
  upstream.answer = double.failure(400, 'invalid_request_error', 'prompt is too long');
  const refused = await batchOf(1);
  await server.ended(refused.id);
  expect((await server.results(refused.id)).map(said)).toEqual([
    ['r-0', 'invalid_request_error: prompt is too long'],
  ]);
  expect(upstream.seen).toHaveLength(1);
});

test('a cancelled batch finishes what is under way and begins nothing more', async () => {
  const { open, plan } = gate();
  upstream.answer = double.reply('just in time', plan);
  const { id } = await batchOf(10);
  await upstream.arrived(CONCURRENCY - 1);
  const canceling = await server.client.messages.batches.cancel(id);
  expect(canceling).toMatchObject({
    id,
    processing_status: 'canceling',
    cancel_initiated_at: expect.any(String) as string,
    request_counts: { processing: 10, canceled: 0 },
    results_url: null,
  });
  await expect(server.client.messages.batches.results(id)).rejects.toThrow(/No batch `results_url`/);
  await expect(server.client.messages.batches.delete(id)).rejects.toThrow(
    `Message batch ${id} cannot be deleted while it is canceling; cancel it, and delete it once it has ended`,
  );
  expect((await server.client.messages.batches.cancel(id)).cancel_initiated_at).toBe(
    canceling.cancel_initiated_at,
  );
  open();
  const ended = await server.ended(id);
  expect(ended.request_counts).toEqual({
    processing: 0,
    succeeded: CONCURRENCY,
    errored: 0,
    canceled: 10 - CONCURRENCY,
    expired: 0,
  });
  expect(ended.cancel_initiated_at).toBe(canceling.cancel_initiated_at);
  expect((await server.results(id)).map(said).slice(2, 5)).toEqual([
    ['r-2', 'just in time'],
    ['r-3', 'canceled'],
    ['r-4', 'canceled'],
  ]);
  expect(upstream.seen).toHaveLength(CONCURRENCY);
  expect(await server.client.messages.batches.cancel(id)).toEqual(ended);
});

test('a wait for a provider of hours ends with the batch’s cancellation', async () => {
  upstream.answer = double.rateLimited({ 'retry-after': '7200' });
  const { id } = await batchOf(5);
  await upstream.arrived(CONCURRENCY - 1);
  await server.client.messages.batches.cancel(id);
  expect((await server.ended(id)).request_counts).toMatchObject({ canceled: 5 });
  expect(upstream.seen).toHaveLength(CONCURRENCY);
});

test('a batch is over when its time is', async () => {
  upstream.queue.push(double.reply('early enough'));
  upstream.answer = double.rateLimited({ 'retry-after': '7200' });
  const params = Buffer.from(JSON.stringify(request('', 'claude-double', 'x').params));
  const { batches } = server.store;
  await batches.begin('msgbatch_short');
  await batches.add(
    'msgbatch_short',
    [0, 1, 2, 3, 4, 5].map((position) => ({ position, custom_id: `r-${position}`, params })),
  );
  await batches.accept('msgbatch_short', { lifetimeMs: 4000, data: { betas: [] } });
  await server.runtime.deliver('msgbatch_short');
  const ended = await server.ended('msgbatch_short');
  expect(ended.request_counts).toEqual({ processing: 0, succeeded: 1, errored: 0, canceled: 0, expired: 5 });
  expect((await server.results('msgbatch_short')).map(({ result }) => result.type).toSorted()).toEqual([
    'expired',
    'expired',
    'expired',
    'expired',
    'expired',
    'succeeded',
  ]);
});

test('files that requests refer to reach the upstream as bytes', async () => {
  const { client } = server;
  const upload = await client.beta.files.upload({
    file: new File(['the text of a file'], 'a.txt', { type: 'text/plain' }),
  });
  const made = await client.beta.messages.batches.create({
    requests: ['known', 'unknown'].map((custom_id) => ({
      custom_id,
      params: {
        model: 'claude-double',
        max_tokens: 64,
        messages: [
          fromUser([
            {
              type: 'document',
              source: { type: 'file', file_id: custom_id === 'known' ? upload.id : 'file_none' },
            },
          ]),
        ],
      },
    })),
    betas: ['files-api-2025-04-14'],
  });
  await server.ended(made.id);
  const results = (await server.results(made.id)).map(said);
  expect(results[0]).toEqual(['known', 'Hello from upstream.']);
  expect(results[1]?.[1]).toMatch(/^not_found_error: /);
  expect(JSON.stringify(upstream.seen[0]?.body)).toContain('the text of a file');
  expect(upstream.seen).toHaveLength(1);
});

test('a long batch goes on in new runs, waits and all, and every run replays', async () => {
  // The first request waits throughout the first runs.
  upstream.queue.push(double.rateLimited({ 'retry-after-ms': '1500' }));
  const requests = [
    request('limited', 'claude-double', 'x'),
    ...Array.from({ length: 150 }, (_, n) => request(`r-${n}`, 'script', `- say: ${n}`)),
  ];
  const { batches } = server.store;
  await batches.begin('msgbatch_long');
  await batches.add(
    'msgbatch_long',
    requests.map(({ custom_id, params }, position) => ({
      position,
      custom_id,
      params: Buffer.from(JSON.stringify(params)),
    })),
  );
  const { expires_at } = await batches.accept('msgbatch_long', { lifetimeMs: 600_000, data: { betas: [] } });
  const start: BatchStart = {
    batch: 'msgbatch_long',
    requests: requests.length,
    expiresAt: Date.parse(expires_at),
    lanes: CONCURRENCY,
    taskQueue: QUEUES.batches,
    continueAfter: 200,
  };
  const workflowId = 'batch/msgbatch_long';
  await server.temporal.client.workflow.start('batch', {
    taskQueue: QUEUES.sessions,
    workflowId,
    args: [start],
  });
  expect((await server.ended('msgbatch_long')).request_counts).toMatchObject({ succeeded: 151 });
  expect((await server.results('msgbatch_long')).map(said)).toEqual([
    ['limited', 'Hello from upstream.'],
    ...Array.from({ length: 150 }, (_, n) => [`r-${n}`, String(n)]),
  ]);
  expect(upstream.seen).toHaveLength(2);

  const workflowBundle = await bundleWorkflows(path.resolve(__dirname, '../../workflows/index.ts'));
  const query = `WorkflowId = '${workflowId}'`;
  const lengths: number[] = [];
  for await (const { historyLength } of server.temporal.client.workflow.list({ query })) {
    lengths.push(historyLength ?? Number.NaN);
  }
  expect(lengths.length).toBeGreaterThan(2);
  for (const length of lengths) expect(length).toBeLessThan(250);
  expect(await server.temporal.replayAll(workflowBundle, query)).toBe(lengths.length);
}, 120_000);

test('a batch that was accepted and never handed on is worked through at the next start', async () => {
  const params = Buffer.from(JSON.stringify(request('', 'script', '- say: at last').params));
  const { batches } = server.store;
  for (const id of ['msgbatch_left', 'msgbatch_canceled']) {
    await batches.begin(id);
    await batches.add(id, [{ position: 0, custom_id: 'a', params }]);
    await batches.accept(id, { lifetimeMs: 600_000, data: { betas: [] } });
  }
  await batches.cancel('msgbatch_canceled');
  await server.runtime.deliverAll();
  // Delivering twice has the effect of delivering once.
  await server.runtime.deliverAll();
  await server.ended('msgbatch_left');
  expect((await server.results('msgbatch_left')).map(said)).toEqual([['a', 'at last']]);
  await server.ended('msgbatch_canceled');
  expect((await server.results('msgbatch_canceled')).map(said)).toEqual([['a', 'canceled']]);
});

test('a batch whose workflow somebody ended is taken up again', async () => {
  const { open, plan } = gate();
  upstream.answer = double.reply('answered', plan);
  const { id } = await batchOf(2);
  await upstream.arrived(1);
  await server.temporal.client.workflow.getHandle(`batch/${id}`).terminate('by hand');
  open();
  await server.runtime.deliverAll();
  expect((await server.ended(id)).request_counts).toMatchObject({ succeeded: 2 });
});

test('history holds nothing of what is asked and answered', async () => {
  const secret = createHash('sha256').update('secret').digest('hex');
  upstream.answer = double.reply(`answer ${secret}`);
  const { id } = await server.client.messages.batches.create({
    requests: [request(`name-${secret.slice(0, 20)}`, 'claude-double', `question ${secret}`)],
  });
  await server.ended(id);
  const history = await server.temporal.client.workflow.getHandle(`batch/${id}`).fetchHistory();
  const bytes = (history.events ?? []).map((event) => Buffer.from(JSON.stringify(event)).toString());
  expect(bytes.join()).not.toContain(secret.slice(0, 20));
  const payloads = (history.events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.input?.payloads ?? [],
  );
  expect(payloads.map(({ data }) => Buffer.from(data ?? []).toString())).toEqual([
    `{"batch":"${id}","position":0,"waits":0,"faults":0}`,
    `{"batch":"${id}","unanswered":"expired"}`,
  ]);
});
