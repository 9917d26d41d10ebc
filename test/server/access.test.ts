import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { clientKey } from '../../server/auth/client-key.ts';
import { isLoopback } from '../../server/auth/access.ts';
import { accessFor, loadOrCreateKey } from '../../server/auth/stored-key.ts';
import { ask, startServer, stopServers } from './harness.ts';

afterEach(stopServers);

const KEY = 'sk-test-0123456789';
/** A route that needs access and, without a body, answers 400: whoever gets that far was admitted. */
const ADMITTED = 400;

describe('with a key', () => {
  const access = { kind: 'keys', keys: [clientKey(KEY)] } as const;
  const post = async (headers: Record<string, string>): Promise<[number, unknown]> => {
    const { url } = await startServer({ access });
    const { status, body } = await ask(`${url}/v1/messages?beta=true`, { method: 'POST', headers });
    return [status, (body['error'] as { message: string }).message];
  };

  test.each([{ 'x-api-key': KEY }, { authorization: `Bearer ${KEY}` }, { authorization: `bearer ${KEY}` }])(
    '%j is admitted',
    async (headers) => {
      expect((await post(headers))[0]).toBe(ADMITTED);
    },
  );

  test.each([
    [{}, 'x-api-key header is required'],
    [{ authorization: `Basic ${KEY}` }, 'x-api-key header is required'],
    [{ 'x-api-key': '' }, 'invalid x-api-key'],
    [{ 'x-api-key': `${KEY}0` }, 'invalid x-api-key'],
    [{ 'x-api-key': KEY.slice(0, -1) }, 'invalid x-api-key'],
    [{ authorization: 'Bearer nothing-like-it' }, 'invalid x-api-key'],
  ])('%j is refused', async (headers, message) => {
    expect(await post(headers as Record<string, string>)).toEqual([401, message]);
  });

  test('health, the page and its files need no key; other hosts and origins are the key holder’s affair', async () => {
    const { url, port } = await startServer({ access });
    expect((await ask(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/`)).status).toBe(200);
    expect(
      await rawStatus(port, { host: 'desk.example', 'x-api-key': KEY, origin: 'https://else.example' }),
    ).toBe(ADMITTED);
  });

  test('a body is not read before the key is checked', async () => {
    const { url } = await startServer({ access });
    const { status } = await ask(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"broken',
    });
    expect(status).toBe(401);
  });

  test('neither the key nor a wrong one is logged', async () => {
    const { url, logged } = await startServer({ access });
    await ask(`${url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': KEY } });
    await ask(`${url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': 'wrong-key-000' } });
    expect(logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(logged)).not.toMatch(/sk-test|wrong-key/);
  });
});

/** `fetch` will not send these headers as a browser page could make them appear, so this speaks HTTP itself. */
function rawStatus(
  port: number,
  headers: Record<string, string>,
  pathname = '/v1/messages',
): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .request(
        {
          port,
          method: pathname === '/v1/messages' ? 'POST' : 'GET',
          path: pathname,
          headers: { 'anthropic-version': '2023-06-01', ...headers },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
      .once('error', reject)
      .end();
  });
}

describe('open on loopback', () => {
  test.each([
    ['a program', {}, ADMITTED],
    ['localhost by name', { host: 'localhost:9999' }, ADMITTED],
    ['IPv6', { host: '[::1]:9999' }, ADMITTED],
    [
      'its own page',
      { host: 'localhost:80', origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' },
      ADMITTED,
    ],
    ['a rebound name', { host: 'evil.example:8080' }, 403],
    ['a name that only begins like one', { host: 'localhost.evil.example' }, 403],
    ['a name that only begins like an address', { host: '127.0.0.1.evil.example' }, 403],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page of another local port', { host: 'localhost:80', origin: 'http://localhost:3000' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['an embedded picture', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    ['a link from elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, ADMITTED],
  ])('%s: %j', async (_who, headers, status) => {
    const { port } = await startServer();
    expect(await rawStatus(port, headers as Record<string, string>)).toBe(status);
  });

  test('health is not readable through a rebound name either', async () => {
    const { port } = await startServer();
    expect(await rawStatus(port, { host: 'evil.example' }, '/health')).toBe(403);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['LocalHost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['localhost.example', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe('the stored key', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'stored-key-')), 'data');
  });
  afterEach(() => {
    fs.rmSync(path.dirname(dataDir), { recursive: true });
  });

  test('is made once, with mode 0600, and found again', async () => {
    const first = await accessFor({ host: '0.0.0.0', apiKey: undefined, dataDir });
    expect(first.newKey).toMatch(/^sk-steadyhand-[\w-]{32}$/);
    expect(first.access).toEqual({ kind: 'keys', keys: [clientKey(first.newKey ?? '')] });
    expect(fs.statSync(path.join(dataDir, 'api-key')).mode & 0o777).toBe(0o600);
    const second = await accessFor({ host: '0.0.0.0', apiKey: undefined, dataDir });
    expect(second).toEqual({ access: first.access, newKey: undefined, secrets: [first.newKey] });
    expect(fs.readdirSync(dataDir)).toEqual(['api-key']);
  });

  test('is one key when two servers start at once', async () => {
    const keys = await Promise.all([loadOrCreateKey(dataDir), loadOrCreateKey(dataDir)].map((made) => made));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
    expect(keys.filter(({ created }) => created)).toHaveLength(1);
  });

  test('is not needed on loopback or beside a given one', async () => {
    expect((await accessFor({ host: '127.0.0.1', apiKey: undefined, dataDir })).access).toEqual({
      kind: 'local',
      limits: {},
    });
    expect((await accessFor({ host: '0.0.0.0', apiKey: KEY, dataDir })).access).toEqual({
      kind: 'keys',
      keys: [clientKey(KEY)],
    });
    expect(fs.existsSync(dataDir)).toBe(false);
  });

  test('an emptied file is refused rather than taken as a key', async () => {
    fs.mkdirSync(dataDir);
    fs.writeFileSync(path.join(dataDir, 'api-key'), '\n');
    await expect(loadOrCreateKey(dataDir)).rejects.toThrow('api-key is empty');
  });
});
