import { once } from 'node:events';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import type { OpenApiDocument } from '../../server/routing/document.ts';
import { described } from '../support/described.ts';
import { type Answer, ask, type Running, startServer, stopServers } from './harness.ts';

/** The wire of `/v1/messages/batches`; nothing works on the batches here. */

afterEach(stopServers);

const PLACE = '/v1/messages/batches';
const JSON_HEADERS = { 'content-type': 'application/json' };
const VERSION = { 'anthropic-version': '2023-06-01' };
const PARAMS = { model: 'script', max_tokens: 10, messages: [{ role: 'user', content: '- say: hi' }] };
const one = (custom_id: unknown = 'a'): object => ({ requests: [{ custom_id, params: PARAMS }] });

interface Send {
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

async function create(
  { url }: Running,
  { body = JSON.stringify(one()), headers = {} }: Send = {},
): Promise<Answer> {
  return await ask(`${url}${PLACE}`, {
    method: 'POST',
    body: body as BodyInit,
    headers: { ...JSON_HEADERS, ...headers },
  });
}

const messageOf = ({ body }: Answer): unknown => (body['error'] as { message?: string } | undefined)?.message;

/** Of everything that stands in the store's tables, seen from inside. */
async function isEmpty({ store }: Running): Promise<boolean> {
  return (await store.batches.list({ limit: 1 })).batches.length === 0;
}

/** A batch that has ended, with a result of each kind. */
async function endedBatch(running: Running): Promise<string> {
  const requests = ['a', 'b', 'c'].map((custom_id) => ({ custom_id, params: PARAMS }));
  const { body } = await create(running, { body: JSON.stringify({ requests }) });
  const id = String(body['id']);
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'script',
    content: [{ type: 'text', text: 'é\u2028"\n' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {},
  };
  const error = { type: 'error', error: { type: 'api_error', message: 'no' }, request_id: null };
  const { batches } = running.store;
  await batches.record(id, 0, { type: 'succeeded', json: JSON.stringify({ type: 'succeeded', message }) });
  await batches.record(id, 2, { type: 'errored', json: JSON.stringify({ type: 'errored', error }) });
  await batches.end(id, 'canceled');
  return id;
}

test('how far a batch is, and its requests with and without params, as described', async () => {
  const running = await startServer();
  const id = await endedBatch(running);
  const get = (place: string): Promise<Answer> =>
    ask(`${running.url}${PLACE}/${place}`, { headers: VERSION });
  const api = described((await ask(`${running.url}/v1/openapi.json`)).body as unknown as OpenApiDocument);
  const progress = await get(`${id}/progress`);
  expect(progress.body).toMatchObject({ id, processing: 0, succeeded: 1, errored: 1, canceled: 1 });
  const page = await get(`${id}/requests?limit=2&after=0`);
  expect(page.body).toMatchObject({
    data: [
      { position: 1, custom_id: 'b', status: 'canceled', result: null },
      { position: 2, custom_id: 'c', status: 'errored', result: { error: { error: { message: 'no' } } } },
    ],
    has_more: false,
  });
  expect((await get(`${id}/requests?limit=1`)).body).toMatchObject({ has_more: true });
  const one = await get(`${id}/requests/2`);
  expect(one.body).toMatchObject({ position: 2, status: 'errored', params: PARAMS });
  const faults = (
    [
      ['progress', progress],
      ['requests', page],
      ['requests/{position}', one],
    ] as const
  ).map(([name, { status, body }]) =>
    api.answerFaults(`GET ${PLACE}/{id}/${name}`, status, 'application/json', body),
  );
  expect(faults.flat()).toEqual([]);

  expect(messageOf(await get(`${id}/requests/3`))).toBe(`Message batch ${id} has no request 3`);
  expect(messageOf(await get(`${id}/requests/x`))).toBe(`Message batch ${id} has no request x`);
  expect(messageOf(await get('msgbatch_1/progress'))).toBe('Message batch not found: msgbatch_1');
  expect(messageOf(await get(`${id}/requests?after=-1`))).toContain('after: expected the position');
  expect(messageOf(await get(`${id}/requests?status=lost`))).toContain('status: expected one of processing');
  expect(messageOf(await get(`${id}/requests?by=name`))).toBe('by: Extra inputs are not permitted');
});

test('a batch is taken, and its workflow told of it', async () => {
  const running = await startServer();
  const answer = await create(running);
  expect(answer.status).toBe(200);
  const id = String(answer.body['id']);
  expect(running.runtimeCalls).toEqual([`deliver ${id}`]);
  const canceled = await ask(`${running.url}${PLACE}/${id}/cancel?beta=true`, { method: 'POST' });
  expect(canceled.body).toMatchObject({ id, processing_status: 'canceling' });
  expect(running.runtimeCalls).toEqual([`deliver ${id}`, `deliver ${id}`]);
});

test.each<[string, object | string, string]>([
  ['no body', '', 'The request body is not valid JSON: Input is a zero-length, empty document, at byte 0'],
  [
    'half a body',
    '{"requests":[{"custom_id"',
    'The request body is not valid JSON: unexpected end of data, at byte 25',
  ],
  ['a list', [], 'Input should be a valid dictionary or object to extract fields from'],
  ['no requests', {}, 'requests: Field required'],
  ['requests null', { requests: null }, 'requests: Input should be a valid list'],
  ['none', { requests: [] }, 'requests: List should have at least 1 item after validation, not 0'],
  [
    'no object',
    { requests: ['x'] },
    'requests.0: Input should be a valid dictionary or object to extract fields from',
  ],
  ['no custom_id', { requests: [{ params: PARAMS }] }, 'requests.0.custom_id: Field required'],
  ['a number for a custom_id', one(7), 'requests.0.custom_id: Input should be a valid string'],
  ['an empty custom_id', one(''), 'requests.0.custom_id: String should have at least 1 character'],
  ['a long custom_id', one('a'.repeat(65)), 'requests.0.custom_id: String should have at most 64 characters'],
  [
    'an odd custom_id',
    one('a b'),
    "requests.0.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
  ],
  ['a line break', one('a\n'), "requests.0.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"],
  [
    'one custom_id twice',
    { requests: ['a', 'b', 'a'].map((custom_id) => ({ custom_id, params: PARAMS })) },
    "requests.2.custom_id: must be unique; requests.0 has 'a' too",
  ],
  ['no params', { requests: [{ custom_id: 'a' }] }, 'requests.0.params: Field required'],
  [
    'params that are a list',
    { requests: [{ custom_id: 'a', params: [] }] },
    'requests.0.params: Input should be a valid dictionary or object to extract fields from',
  ],
  [
    'a field too many',
    { requests: [{ custom_id: 'a', params: PARAMS, method: 'POST' }] },
    'requests.0.method: Extra inputs are not permitted',
  ],
  ['a field too many outside', { ...one(), model: 'x' }, 'model: Extra inputs are not permitted'],
  ['betas that are none', { ...one(), betas: ['a', 1] }, 'betas.1: Input should be a valid string'],
])('a body with %s is refused, and nothing of it stays', async (_what, body, message) => {
  const running = await startServer();
  const answer = await create(running, { body: typeof body === 'string' ? body : JSON.stringify(body) });
  expect([answer.status, messageOf(answer)]).toEqual([400, message]);
  expect(answer.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  expect(await isEmpty(running)).toBe(true);
  expect(running.runtimeCalls).toEqual([]);
});

test('params are not looked at before their turn', async () => {
  const running = await startServer();
  const answer = await create(running, { body: '{"requests":[{"custom_id":"a","params":{"what":1e999}}]}' });
  expect(answer.status).toBe(200);
});

test.each([
  [{ 'content-type': 'text/plain' }, 'content-type: expected application/json, got text/plain'],
  [
    { 'content-type': 'application/json; charset=utf-16' },
    'content-type: charset utf-16 is not supported; send no charset or UTF-8',
  ],
  [{ 'content-encoding': 'br' }, 'content-encoding: br is not supported; gzip and deflate are taken'],
  [{ 'content-encoding': 'gzip' }, 'The request body cannot be read: incorrect header check'],
])('headers that say something else than the body is, %j', async (headers, message) => {
  const answer = await create(await startServer(), { headers: headers as unknown as Record<string, string> });
  expect([answer.status, messageOf(answer)]).toEqual([400, message]);
});

test('a compressed body is taken, and bytes that are no UTF-8 are not', async () => {
  const running = await startServer();
  const packed = await create(running, {
    body: gzipSync(JSON.stringify(one())),
    headers: { 'content-encoding': 'gzip' },
  });
  expect(packed.status).toBe(200);
  const broken = Buffer.from(JSON.stringify(one()).replace('hi', 'hX'));
  broken[broken.indexOf('X')] = 0xff;
  const answer = await create(running, { body: broken });
  expect([answer.status, messageOf(answer)]).toEqual([
    400,
    'The request body is not valid JSON: str is not valid UTF-8',
  ]);
});

describe('a body that is too large', () => {
  const big = { host: 'localhost', ...VERSION, 'content-type': 'application/json' };

  async function answerTo(request: http.ClientRequest): Promise<[number | undefined, string]> {
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const { error } = JSON.parse(text) as { error: { type: string } };
    return [response.statusCode, error.type];
  }

  test('is refused when it says so, before any of it came', async () => {
    const { port } = await startServer();
    const headers = { ...big, 'content-length': String(256 * 1024 * 1024 + 1) };
    const request = http.request({ port, path: PLACE, method: 'POST', headers });
    request.flushHeaders();
    expect(await answerTo(request)).toEqual([413, 'request_too_large']);
    request.destroy();
  });

  test('is refused when one of its requests is, as soon as it is', async () => {
    const running = await startServer();
    const request = http.request({ port: running.port, path: PLACE, method: 'POST', headers: big });
    request.on('error', () => {});
    const answered = answerTo(request);
    request.write(`${JSON.stringify(one()).slice(0, -2)},{"custom_id":"b","params":{"text":"`);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let n = 0; n < 33; n += 1) {
      if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answered]);
    }
    expect(await answered).toEqual([413, 'request_too_large']);
    request.destroy();
    expect(await isEmpty(running)).toBe(true);
  });
});

test('nothing stays of a body whose client left in the middle of it', async () => {
  const running = await startServer();
  const headers = { host: 'localhost', ...VERSION, 'content-type': 'application/json' };
  const request = http.request({ port: running.port, path: PLACE, method: 'POST', headers });
  request.on('error', () => {});
  const requests = Array.from({ length: 2000 }, (_, n) => ({ custom_id: `r-${n}`, params: PARAMS }));
  request.write(JSON.stringify({ requests }).slice(0, -2));
  // What is in the store is hidden, so look at what it deletes.
  const deleted = new Promise<string>((resolve) => {
    const { batches } = running.store;
    const remove = batches.delete.bind(batches);
    batches.delete = async (id) => {
      const found = await remove(id);
      resolve(id);
      return found;
    };
    const add = batches.add.bind(batches);
    batches.add = async (id, some) => {
      await add(id, some);
      request.destroy();
    };
  });
  const id = await deleted;
  await expect(running.store.batches.add(id, [])).rejects.toThrow('no message batch');
  expect(await isEmpty(running)).toBe(true);
});

test('a body that does not arrive in time is refused', async () => {
  const { port } = await startServer({ uploadTimeoutMs: 50 });
  const headers = { host: 'localhost', ...VERSION, 'content-type': 'application/json' };
  const request = http.request({ port, path: PLACE, method: 'POST', headers });
  request.on('error', () => {});
  request.write('{"requests":[');
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(response.statusCode).toBe(400);
  request.destroy();
});

describe('the results', () => {
  test('are lines of JSON, one for each request, in their order', async () => {
    const running = await startServer();
    const id = await endedBatch(running);
    const place = `${running.url}${PLACE}/${id}/results`;
    const response = await fetch(place, { headers: { ...VERSION, accept: 'application/binary' } });
    expect(response.headers.get('content-type')).toBe('application/x-jsonl');
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    const results = lines.map((line) => JSON.parse(line) as { custom_id: string; result: { type: string } });
    expect(results.map(({ custom_id, result }) => [custom_id, result.type])).toEqual([
      ['a', 'succeeded'],
      ['b', 'canceled'],
      ['c', 'errored'],
    ]);
    expect(results[0]).toHaveProperty('result.message.content.0.text', 'é\u2028"\n');
    const head = await fetch(place, { method: 'HEAD', headers: VERSION });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('are refused before the batch has ended, as is its deletion', async () => {
    const running = await startServer();
    const { body } = await create(running);
    const place = `${running.url}${PLACE}/${String(body['id'])}`;
    const early = await ask(`${place}/results`);
    expect([early.status, messageOf(early)]).toEqual([
      400,
      `Message batch ${String(body['id'])} has no results yet: it is in_progress; they can be read once it has ended`,
    ]);
    const deletion = await ask(place, { method: 'DELETE' });
    expect(deletion.status).toBe(400);
    expect((await ask(place)).status).toBe(200);
  });

  test('lie where the client reached the server', async () => {
    const running = await startServer();
    const id = await endedBatch(running);
    const urlOf = async (headers: Record<string, string>): Promise<unknown> => {
      const request = http.get({
        port: running.port,
        path: `${PLACE}/${id}`,
        headers: { ...VERSION, ...headers },
      });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      return (JSON.parse(text) as Record<string, unknown>)['results_url'];
    };
    const path = `${PLACE}/${id}/results`;
    expect(await urlOf({ host: 'localhost:99' })).toBe(`http://localhost:99${path}`);
    expect(await urlOf({ host: 'localhost', 'x-forwarded-proto': 'https' })).toBe(`https://localhost${path}`);
    expect(await urlOf({ host: 'localhost', 'x-forwarded-proto': 'javascript' })).toBe(
      `http://localhost${path}`,
    );
  });

  test('that are deleted while they are read break off, and do not just end', async () => {
    const running = await startServer();
    const count = 150;
    const requests = Array.from({ length: count }, (_, n) => ({ custom_id: `r-${n}`, params: PARAMS }));
    const id = String((await create(running, { body: JSON.stringify({ requests }) })).body['id']);
    const { batches } = running.store;
    const text = JSON.stringify({ type: 'succeeded', text: 'x'.repeat(200_000) });
    for (let n = 0; n < count; n += 1) await batches.record(id, n, { type: 'succeeded', json: text });
    await batches.end(id, 'expired');
    const response = await fetch(`${running.url}${PLACE}/${id}/results`, { headers: VERSION });
    const reader = response.body?.getReader();
    await reader?.read();
    expect(await batches.delete(id)).toBe(true);
    const rest = async (): Promise<void> => {
      while ((await reader?.read())?.done === false);
    };
    await expect(rest()).rejects.toThrow('terminated');
  });
});

test.each([
  ['limit=0', 'limit: Input should be greater than or equal to 1'],
  ['limit=1001', 'limit: Input should be less than or equal to 1000'],
  ['limit=x', 'limit: Input should be a valid integer, unable to parse string as an integer'],
  ['limit=1&limit=2', 'limit: given 2 times, expected once'],
  ['after_id=x', 'after_id: expected the id of a message batch, msgbatch_...'],
  ['after_id=msgbatch_1&before_id=msgbatch_2', 'after_id: cannot be given together with before_id'],
  ['page=2', 'page: Extra inputs are not permitted'],
])('a list asked for with %s is refused', async (query, message) => {
  const { url } = await startServer();
  const answer = await ask(`${url}${PLACE}?${query}`);
  expect([answer.status, messageOf(answer)]).toEqual([400, message]);
});

test('an empty list has no first and no last', async () => {
  const { url } = await startServer();
  const { body } = await ask(`${url}${PLACE}?beta=true&limit=1000`);
  expect(body).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
});

test('what is answered is as described', async () => {
  const running = await startServer();
  const api = described((await ask(`${running.url}/v1/openapi.json`)).body as unknown as OpenApiDocument);
  const faults: string[] = [];
  const call = async (route: string, place: string, status = 200, body?: object): Promise<Answer> => {
    const [method = ''] = route.split(' ');
    const init =
      body === undefined ? { method } : { method, body: JSON.stringify(body), headers: JSON_HEADERS };
    const answer = await ask(`${running.url}${place}`, init);
    const media = answer.headers.get('content-type')?.split(';')[0] ?? '';
    if (answer.status !== status) faults.push(`${route} ${place}: ${answer.status}`);
    if (body !== undefined && status === 200) faults.push(...api.bodyFaults(route, body));
    faults.push(...api.answerFaults(route, answer.status, media, answer.body));
    return answer;
  };
  const made = await call(`POST ${PLACE}`, PLACE, 200, { ...one(), betas: ['x'] });
  await call(`POST ${PLACE}`, PLACE, 400, { requests: [] });
  await call(`POST ${PLACE}/{id}/cancel`, `${PLACE}/${String(made.body['id'])}/cancel`);
  const id = await endedBatch(running);
  await call(`GET ${PLACE}`, PLACE);
  await call(`GET ${PLACE}/{id}`, `${PLACE}/${id}`);
  await call(`GET ${PLACE}/{id}`, `${PLACE}/msgbatch_none`, 404);
  await call(`DELETE ${PLACE}/{id}`, `${PLACE}/${String(made.body['id'])}`, 400);
  await call(`GET ${PLACE}/{id}/results`, `${PLACE}/${String(made.body['id'])}/results`, 400);
  await call(`DELETE ${PLACE}/{id}`, `${PLACE}/${id}`);
  expect(faults).toEqual([]);
});
