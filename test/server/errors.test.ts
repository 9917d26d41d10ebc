import http from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { API_ERRORS, ApiError } from '@steadyhand/contracts';
import { errorsPage } from '../docs/errors-page.ts';
import { toApiError } from '../../server/http/errors.ts';
import { CursorMovedError, NotStoredError } from '../../store/contract/errors.ts';
import { pageOnDisk } from '../generated-page.ts';
import { ask, startServer, stopServers } from './harness.ts';

afterEach(stopServers);

const JSON_HEADERS = { 'content-type': 'application/json' };

/** What an error answer must be, whatever went wrong. */
function errorBody(type: string, message: unknown): object {
  return {
    type: 'error',
    error: { type, message },
    request_id: expect.stringMatching(/^req_\w{24}$/) as unknown,
  };
}

test('an unknown route is a 404 in the shape of the API', async () => {
  const { url } = await startServer();
  const answer = await ask(`${url}/v1/nothing?beta=true`);
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(errorBody('not_found_error', 'No such route: GET /v1/nothing'));
  expect(answer.headers.get('request-id')).toBe(answer.body['request_id']);
  expect(answer.headers.get('x-should-retry')).toBe('false');
});

test.each([
  ['multipart/form-data; boundary=x', '--x--'],
  ['application/octet-stream', 'anything'],
  ['application/json', '{"no json'],
  ['application/json', 'x'.repeat(33 * 1024 * 1024)],
])('an unknown route is a 404 whatever is sent to it: %s', async (type, body) => {
  const { url } = await startServer();
  const answer = await ask(`${url}/v1/skills`, { method: 'POST', headers: { 'content-type': type }, body });
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(errorBody('not_found_error', 'No such route: POST /v1/skills'));
});

test('a method that a path does not take is a 405 whatever is sent to it', async () => {
  const { url } = await startServer();
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await ask(`${url}/v1/agents`, { method: 'PUT', headers, body: '--x--' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

test.each(['/v1/openapi.json', '/openapi.json'])('without documentation %s is not there', async (path) => {
  const { url } = await startServer({ docs: false });
  const answer = await ask(`${url}${path}?pretty`);
  expect(answer.status).toBe(404);
  expect(JSON.stringify(answer.body)).toContain(`No such route: GET ${path}`);
});

test('every request has an id of its own, even one that brings one', async () => {
  const { url } = await startServer();
  const headers = { 'request-id': 'req_mine' };
  const [one, two] = await Promise.all([
    ask(`${url}/health`, { headers }),
    ask(`${url}/health`, { headers }),
  ]);
  expect(one?.headers.get('request-id')).toMatch(/^req_\w{24}$/);
  expect(one?.headers.get('request-id')).not.toBe(two?.headers.get('request-id'));
});

test('another method is a 405 that says which are allowed, and OPTIONS says the same', async () => {
  const { url } = await startServer();
  const answer = await ask(`${url}/v1/messages`, { method: 'DELETE' });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('POST');
  expect(answer.body).toEqual(
    errorBody('invalid_request_error', 'DELETE is not allowed on /v1/messages, only POST'),
  );
  const options = await fetch(`${url}/health`, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD']);
});

test.each([
  ['{"model": }', /^The request body is not valid JSON: /],
  ['', /^The request body is not valid JSON: Input is a zero-length, empty document/],
  ['null', /^Input should be a valid dictionary/],
])('a body %j is a 400 that says what is wrong', async (body, message) => {
  const { url } = await startServer();
  const answer = await ask(`${url}/v1/messages`, { method: 'POST', headers: JSON_HEADERS, body });
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual(errorBody('invalid_request_error', expect.stringMatching(message)));
});

test('a form is not read as JSON', async () => {
  const { url } = await startServer();
  const answer = await ask(`${url}/v1/messages`, {
    method: 'POST',
    body: new URLSearchParams({ model: 'script' }),
  });
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual(
    errorBody(
      'invalid_request_error',
      expect.stringMatching(/^content-type: expected application\/json, got /),
    ),
  );
});

test('a body over 32 MB is a 413, also when it is sent compressed', async () => {
  const { url } = await startServer();
  const tooLarge = `"${'x'.repeat(32 * 1024 * 1024)}"`;
  const compressed = await ask(`${url}/v1/messages`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'content-encoding': 'gzip' },
    body: gzipSync(tooLarge),
  });
  expect(compressed.status).toBe(413);
  expect(compressed.body).toEqual(errorBody('request_too_large', 'Request exceeds the maximum size'));

  // Announced by its length alone: the answer comes before the body does.
  const { port } = new URL(url);
  const request = http.request({ port, path: '/v1/messages', method: 'POST' });
  request.setHeader('content-type', 'application/json').setHeader('content-length', tooLarge.length);
  request.setHeader('anthropic-version', '2023-06-01');
  request.on('error', () => {});
  const announced = await new Promise<http.IncomingMessage>((resolve) => {
    request.once('response', resolve).flushHeaders();
  });
  expect(announced.statusCode).toBe(413);
  expect(JSON.parse(await text(announced))).toEqual(errorBody('request_too_large', expect.any(String)));
  request.destroy();
});

test('a path that cannot be decoded is the request’s fault', async () => {
  const { url } = await startServer();
  const answer = await ask(`${url}/v1/sessions/%E0%A4%A`);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual(errorBody('invalid_request_error', 'The path is not valid percent-encoding'));
});

test('a model that nobody serves is a 404', async () => {
  const { url } = await startServer();
  const answer = await ask(`${url}/v1/messages`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({ model: 'gone', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(errorBody('not_found_error', 'model: gone'));
});

test('a fault of this side tells the client nothing and the log everything', async () => {
  const { url, logged } = await startServer({
    health: () => {
      throw new Error('the disk is on fire');
    },
  });
  const answer = await ask(`${url}/health`);
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ detail: 'Internal Server Error' });
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: 'error',
      msg: 'request failed',
      request_id: answer.headers.get('request-id'),
      err: expect.objectContaining({ message: 'the disk is on fire' }) as unknown,
    }),
  );
});

test('a wait that the upstream asked for reaches the client', async () => {
  const { url } = await startServer({
    providers: {
      providerFor: () => {
        throw new ApiError('rate_limit_error', 'slow down', { retryAfterMs: 1500 });
      },
    },
  });
  const answer = await ask(`${url}/v1/messages`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({ model: 'any', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after-ms')).toBe('1500');
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(answer.headers.get('x-should-retry')).toBe('true');
});

test('errors of the store have an answer', () => {
  expect(toApiError(new NotStoredError('session', 'sesn_1'))).toMatchObject({
    status: 404,
    message: 'Session not found: sesn_1',
  });
  expect(toApiError(new CursorMovedError(1, 2))).toMatchObject({ status: 409, type: 'conflict_error' });
  expect(toApiError('a string')).toMatchObject({ status: 500, message: 'Internal server error' });
});

test('docs/errors.md is what the table says (UPDATE_PAGES=1 writes it anew)', () => {
  expect(Object.keys(API_ERRORS).length).toBeGreaterThan(8);
  expect(pageOnDisk('docs/errors.md', errorsPage())).toBe(errorsPage());
});
