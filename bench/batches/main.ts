import http from 'node:http';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { engineOf } from '../../test/support/product-engine.ts';
import { Product } from '../../test/support/product.ts';
import { quantile, writeResult } from '../lib/figures.ts';
import { memoryMib } from '../lib/processes.ts';

/**
 * What batches cost: many small requests worked through (the `script` model answers at once, so this is the machinery alone),
 * and a body as large as is allowed taken in, with another client asking all the while.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    large: { type: 'string', default: '100000' },
    engine: { type: 'string', default: 'embedded' },
  },
});
const REQUESTS = Number(values.requests);
const LARGE = Number(values.large);
const BATCHES = '/v1/messages/batches';
const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };

const product = new Product({ ENGINE: values.engine, DEFAULT_MODEL: 'ocr' });
await product.start();
const { hostname, port } = new URL(product.url);
const agent = new http.Agent({ keepAlive: true });
/** Of the body sent last. */
let bytes = 0;

const worked = await workThrough();
const taken = await takeLarge();
await product.stop();

const summary = { engine: values.engine, worked, taken };
writeResult('batches', summary);
console.log(JSON.stringify(summary, null, 2));

async function workThrough(): Promise<object> {
  const began = performance.now();
  const id = await create(REQUESTS, (n) => `- say: ${n}`);
  const accepted = performance.now();
  while ((await status(id)) !== 'ended') await new Promise((resolve) => setTimeout(resolve, 100));
  const ended = performance.now();
  const answered = new Set<string>();
  for await (const { custom_id, result } of await product.client.messages.batches.results(id)) {
    if (result.type === 'succeeded') answered.add(custom_id);
  }
  return {
    requests: REQUESTS,
    answered: answered.size,
    accepted_s: seconds(accepted - began),
    ended_s: seconds(ended - began),
    requests_a_second: Math.round((REQUESTS / (ended - accepted)) * 1000),
    results_s: seconds(performance.now() - ended),
    history_bytes_a_request: Math.round((await historyBytes(id)) / REQUESTS),
  };
}

async function takeLarge(): Promise<object> {
  const before = rssMb();
  const pings: number[] = [];
  let isTaken = false;
  const pinging = (async () => {
    while (!isTaken) {
      const asked = performance.now();
      await send('GET', `${BATCHES}?limit=1`);
      pings.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const began = performance.now();
  const padding = 'hello world, '.repeat(192);
  const id = await create(LARGE, (n) => `- say: ${n} #${padding}`);
  const took = performance.now() - began;
  isTaken = true;
  await pinging;
  const peak = rssMb();
  await send('POST', `${BATCHES}/${id}/cancel`);
  while ((await status(id)) !== 'ended') await new Promise((resolve) => setTimeout(resolve, 100));
  const deleting = performance.now();
  await product.client.messages.batches.delete(id);
  const at = (part: number): number => Math.round(quantile(pings, part));
  return {
    requests: LARGE,
    mb: Math.round(bytes / 1e6),
    seconds: seconds(took),
    other_requests_ms: { p50: at(0.5), p99: at(0.99), max: at(1) },
    memory_mb: { before, after: peak },
    deleted_s: seconds(performance.now() - deleting),
  };
}

/** Sends a batch as a stream, as no client could hold it otherwise. */
async function create(count: number, content: (n: number) => string): Promise<string> {
  bytes = 0;
  const body = (function* () {
    let text = '{"requests":[';
    for (let n = 0; n < count; n += 1) {
      const params = { model: 'script', max_tokens: 64, messages: [{ role: 'user', content: content(n) }] };
      text += `${n === 0 ? '' : ','}${JSON.stringify({ custom_id: `r-${n}`, params })}`;
      if (text.length < 65_536) continue;
      yield text;
      text = '';
    }
    yield `${text}]}`;
  })();
  const made = JSON.parse(await send('POST', BATCHES, body)) as { id: string };
  return made.id;
}

async function send(method: string, path: string, body: Iterable<string> = []): Promise<string> {
  const request = http.request({ hostname, port, path, method, headers: HEADERS, agent });
  const answered = new Promise<string>((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve(text));
    });
  });
  for (const piece of body) {
    bytes += Buffer.byteLength(piece);
    if (!request.write(piece)) await new Promise((resolve) => request.once('drain', resolve));
  }
  request.end();
  return await answered;
}

async function status(id: string): Promise<string> {
  return (await product.client.messages.batches.retrieve(id)).processing_status;
}

/** Of all runs of the batch's workflow together. */
async function historyBytes(id: string): Promise<number> {
  const { connection: to, namespace } = await engineOf(product);
  const connection = await Connection.connect(to);
  const { workflow } = new Client({ connection, namespace });
  let sum = 0;
  for await (const { runId } of workflow.list({ query: `WorkflowId = 'batch/${id}'` })) {
    sum += Number((await workflow.getHandle(`batch/${id}`, runId).describe()).historySize ?? 0);
  }
  await connection.close();
  return sum;
}

function rssMb(): number {
  return Math.round(memoryMib(product.pid ?? 0) * 1.024);
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
