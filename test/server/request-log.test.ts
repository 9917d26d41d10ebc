import { createAnthropicProvider, createProviderRegistry } from '../../messages/index.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import { createLogger } from '../../server/log.ts';
import { createScrub } from '../../server/auth/redaction.ts';
import {
  cut,
  eventsOf,
  failure,
  json,
  message,
  reply,
  startUpstream,
  stream,
} from '../support/anthropic-upstream.ts';
import { type Running, startServer, stopServers } from './harness.ts';
import { openedForAll } from '../support/opened.ts';
import { posted } from '../support/posted.ts';

const CLIENT = 'client-secret-0123456789';
const UPSTREAM = 'upstream-secret-0123456789';
/** Another service's key, which a client sends by mistake. */
const FOREIGN = 'sk-proj-Foreign0123456789';
const PRIVATE = 'a private word';

const upstream = openedForAll(startUpstream);
afterEach(async () => {
  await stopServers();
  upstream.reset();
});

/** Everything that was written, as text. */
const written: string[] = [];
beforeEach(() => void written.splice(0));

async function served(): Promise<Running> {
  const keys = [clientKey(CLIENT, 'alice')];
  const scrub = createScrub([UPSTREAM], keys);
  const provider = createAnthropicProvider({ apiKey: UPSTREAM, baseURL: upstream.baseURL });
  return startServer({
    access: { kind: 'keys', keys },
    providers: createProviderRegistry([{ model: 'm*', provider, providerName: 'main' }]),
    scrub,
    log: createLogger('trace', { write: (line: string) => void written.push(line) }, scrub),
  });
}

const lines = (): Record<string, unknown>[] =>
  written.map((line) => JSON.parse(line) as Record<string, unknown>);
const requestLine = (): Record<string, unknown> | undefined =>
  lines().findLast(({ msg }) => msg === 'request');

async function post(
  running: Running,
  change: object = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(
    `${running.url}/v1/messages?beta=true&key=${CLIENT}`,
    posted(
      {
        model: 'm',
        max_tokens: 10,
        messages: [{ role: 'user', content: PRIVATE }],
        ...change,
      },
      { 'x-api-key': CLIENT, 'anthropic-version': '2023-06-01', ...headers },
    ),
  );
  return response.text();
}

it('a request to a model is one line that tells who asked whom, and what came of it', async () => {
  const running = await served();
  await post(running);
  expect(requestLine()).toEqual({
    level: 'info',
    time: expect.any(String) as unknown,
    pid: process.pid,
    msg: 'request',
    request_id: expect.stringMatching(/^req_/) as unknown,
    method: 'POST',
    path: '/v1/messages',
    status: 200,
    ms: expect.any(Number) as unknown,
    key: 'alice',
    model: 'm',
    provider: 'main',
    upstream_request_id: 'req_upstream',
    streamed: false,
    stop_reason: 'end_turn',
    input_tokens: 30,
    output_tokens: 12,
  });
  await post(running, { stream: true });
  expect(requestLine()).toMatchObject({
    streamed: true,
    stop_reason: 'end_turn',
    output_tokens: 12,
    first_byte_ms: expect.any(Number) as unknown,
    upstream_request_id: 'req_upstream',
  });
  expect(lines()).toHaveLength(2);
});

it('errors are told by their type: before the upstream, from it, and in the middle of a stream', async () => {
  const running = await served();
  await post(running, { max_tokens: 'x' });
  expect(requestLine()).toMatchObject({ status: 400, key: 'alice', error_type: 'invalid_request_error' });
  await post(running, {}, { 'x-api-key': 'wrong-key-0000' });
  expect(requestLine()).toMatchObject({ status: 401, error_type: 'authentication_error' });
  expect(requestLine()).not.toHaveProperty('key');
  upstream.answer = failure(529, 'overloaded_error', 'Overloaded');
  await post(running);
  expect(requestLine()).toMatchObject({ status: 529, provider: 'main', error_type: 'overloaded_error' });
  upstream.answer = stream(eventsOf(message('Hello there.')), { cutAfter: 4 });
  await post(running, { stream: true });
  expect(requestLine()).toMatchObject({ status: 200, streamed: true, error_type: 'api_error' });
});

it('no key and no content is in the log or in an answer, whatever is sent and wherever', async () => {
  const running = await served();
  const answers: string[] = [];
  const say = async (change: object = {}, headers: Record<string, string> = {}): Promise<void> => {
    answers.push(await post(running, change, headers));
  };
  const get = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
    const all = { 'x-api-key': CLIENT, 'anthropic-version': '2023-06-01', ...headers };
    answers.push(await (await fetch(running.url + path, { headers: all })).text());
  };
  await say();
  // Keys in the wrong place: other headers, the path, the query, the body.
  await say({}, { 'x-api-key': FOREIGN, cookie: `key=${CLIENT}` });
  await say({}, { authorization: `Basic ${CLIENT}`, 'api-key': FOREIGN, 'proxy-authorization': CLIENT });
  await say({}, { 'content-type': `text/${CLIENT}` });
  await say({}, { 'anthropic-version': CLIENT });
  await say({}, { 'anthropic-version': FOREIGN });
  await say({}, { 'anthropic-beta': `${CLIENT},${FOREIGN}` });
  for (const secret of [CLIENT, FOREIGN]) {
    await say({ model: secret });
    await say({ [secret]: 1 });
    await say({ tools: [{ type: secret, name: secret }] });
    await say({ api_key: secret, tool_choice: { type: secret } });
    await get(`/v1/${secret}`);
    await get(`/v1/sessions/${secret}?key=${secret}`);
    await get(`/v1/${encodeURIComponent(`x/${secret}`)}`);
    await get(`/v2/models/${secret}`);
    await get(`/${secret}`);
    const raw = await fetch(`${running.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': CLIENT, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: secret,
    });
    answers.push(await raw.text());
  }
  // Upstreams that repeat keys: their own, the client's, in errors and in broken answers.
  for (const status of [400, 401, 403, 429, 500, 529]) {
    upstream.queue.push(
      failure(status, 'some_error', `Incorrect API key provided: ${UPSTREAM}, not ${FOREIGN}`),
    );
    await say();
  }
  upstream.queue.push(
    json(200, `{"${UPSTREAM}": `),
    json(200, { type: UPSTREAM }),
    cut,
    failure(500, UPSTREAM, 'x'),
  );
  for (let index = 0; index < 4; index++) await say();
  upstream.queue.push(
    stream([`event: error\ndata: {"type":"error","error":{"type":"x","message":"${UPSTREAM}"}}\n\n`]),
  );
  await say({ stream: true });
  upstream.queue.push(
    stream([
      ...eventsOf(message('x')).slice(0, 3),
      `event: error\ndata: {"type":"error","error":{"type":"x","message":"${UPSTREAM}"}}\n\n`,
    ]),
  );
  await say({ stream: true });
  upstream.queue.push(reply('Hello.'));
  await say();

  const log = written.join('');
  expect(lines().filter(({ msg }) => msg === 'request')).toHaveLength(answers.length);
  for (const [name, text] of [
    ['log', log],
    ['answers', answers.join('\n')],
  ] as const) {
    for (const secret of [CLIENT, UPSTREAM, FOREIGN]) {
      const place = text.indexOf(secret);
      expect([name, place === -1 ? '' : text.slice(Math.max(0, place - 200), place + 50)]).toEqual([
        name,
        '',
      ]);
    }
  }
  expect(log).not.toContain(PRIVATE);
  expect(log).not.toContain('Hello.');
});
