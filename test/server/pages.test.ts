import http from 'node:http';
import { startServer, stopServers } from './harness.ts';

afterEach(stopServers);

test.each(['/', '/app', '/sessions/sesn_1'])('%s is the page', async (path) => {
  const { url } = await startServer();
  const response = await fetch(`${url}${path}`);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('<meta name="apple-mobile-web-app-capable" content="yes" />');
  expect(html).toContain('<meta name="apple-mobile-web-app-status-bar-style" content="black" />');
});

test('a page may load, call and be framed by this server alone', async () => {
  const { url } = await startServer();
  const { headers } = await fetch(`${url}/`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('files are asked for again each time and not sent again while they hold', async () => {
  const { url } = await startServer();
  const first = await fetch(`${url}/static/icon.svg`);
  expect(first.status).toBe(200);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  // Not fetch: with this header it asks for a full answer by itself.
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  const status = await new Promise((resolve) => {
    http.get(`${url}/static/icon.svg`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  expect(status).toBe(304);
});

test.each(['/static/missing.js', '/static/../package.json', '/static/%2e%2e/package.json', '/static/app/'])(
  '%s is nothing',
  async (path) => {
    const { url } = await startServer();
    const response = await fetch(`${url}${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  },
);

test('health says what runs and why there is no desktop', async () => {
  const { url } = await startServer();
  const response = await fetch(`${url}/health`);
  expect(await response.json()).toEqual({
    status: 'ok',
    version: '1.2.3',
    uptime_s: expect.any(Number) as unknown,
    engine: { kind: 'embedded', address: '127.0.0.1:7233', namespace: 'default' },
    desktop: { available: false, isolation: null, reason: 'bwrap is not on PATH' },
  });
});
