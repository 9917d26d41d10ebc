import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { startServer, stopServers } from './harness.ts';

afterEach(stopServers);

/** Not fetch: it tidies up paths and asks for full answers by itself. */
function askRaw(
  port: number,
  pathname: string,
  options: http.RequestOptions = {},
): Promise<{ readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path: pathname, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.on('error', reject).end();
  });
}

test.each(['/', '/app', '/inference', '/sessions/sesn_1'])('%s is the page', async (pathname) => {
  const { url } = await startServer();
  const response = await fetch(`${url}${pathname}`);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('<meta name="apple-mobile-web-app-capable" content="yes" />');
  expect(html).toContain('<meta name="apple-mobile-web-app-status-bar-style" content="black" />');
});

test('the landing page is rendered with its title and the request', async () => {
  const { url, port } = await startServer();
  const html = await (await fetch(`${url}/`)).text();
  expect(html).toContain('<title>Steadyhand</title>');
  expect(html).toContain('<strong>Steadyhand</strong>');
  expect(html).toContain(`http://127.0.0.1:${port}/analyze`);
  for (const link of ['/docs', '/redoc', '/openapi.json', '/inference'])
    expect(html).toContain(`href="${link}"`);
  expect(html).not.toMatch(/\{\{|\{%/);
});

describe('another index.html', () => {
  let staticDir: string;
  beforeEach(() => {
    staticDir = fs.mkdtempSync(path.join(os.tmpdir(), 'static-'));
  });
  afterEach(() => fs.rmSync(staticDir, { recursive: true }));
  const write = (text: string): void => fs.writeFileSync(path.join(staticDir, 'index.html'), text);

  test('what a request says is escaped, and its credentials are not told', async () => {
    write(
      '{{ request.method }} {{ request.path }} {{ request.query_params.q }} {{ request.headers["x-api-key"] }}' +
        '{{ request.headers.cookie }}{{ request.headers.authorization }}[{{ request.headers.referer }}]',
    );
    const { port } = await startServer({ staticDir });
    const headers = {
      referer: '"><script>',
      cookie: 'secret-1',
      authorization: 'secret-2',
      'x-api-key': 'secret-3',
    };
    const { body } = await askRaw(port, '/?q=%3Cimg%20src=x%3E', { headers });
    expect(body.toString()).toBe('GET / &lt;img src=x&gt; [&#34;&gt;&lt;script&gt;]');
  });

  test('it is read again when it changed', async () => {
    write('one: {{ title }}');
    const { url } = await startServer({ staticDir });
    expect(await (await fetch(url)).text()).toBe('one: Steadyhand');
    write('another: {{ title }}');
    expect(await (await fetch(url)).text()).toBe('another: Steadyhand');
  });

  test('a link out of the folder is not followed, and nothing hidden is served', async () => {
    write('');
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'outside-'));
    fs.writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    fs.writeFileSync(path.join(staticDir, '.env'), 'secret');
    fs.symlinkSync(outside, path.join(staticDir, 'link'));
    const { port } = await startServer({ staticDir });
    for (const name of ['/static/link/secret.txt', '/static/.env', '/static/link']) {
      expect([name, (await askRaw(port, name)).status]).toEqual([name, 404]);
    }
    fs.rmSync(outside, { recursive: true });
  });

  test('a folder whose own path is hidden is served all the same', async () => {
    const hidden = path.join(staticDir, '.hidden');
    fs.mkdirSync(hidden);
    fs.writeFileSync(path.join(hidden, 'a.txt'), 'there');
    const { url } = await startServer({ staticDir: hidden });
    expect(await (await fetch(`${url}/static/a.txt`)).text()).toBe('there');
  });

  test('an entity tag is of the content: a copy made anew is the same, a change is another', async () => {
    write('');
    const file = path.join(staticDir, 'a.txt');
    fs.writeFileSync(file, 'one');
    const { url } = await startServer({ staticDir });
    const tag = async (): Promise<string | null> => (await fetch(`${url}/static/a.txt`)).headers.get('etag');
    const first = await tag();
    expect(first).toMatch(/^"[\w-]{27}"$/);
    fs.rmSync(file);
    fs.writeFileSync(file, 'one');
    fs.utimesSync(file, 1, 1);
    expect(await tag()).toBe(first);
    fs.writeFileSync(file, 'two');
    expect(await tag()).not.toBe(first);
  });
});

test('a page may load, call and be framed by this server alone', async () => {
  const { url } = await startServer();
  const { headers } = await fetch(`${url}/`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('only ReDoc needs more than its own origin, and never another host', async () => {
  const { url } = await startServer();
  const policy = async (pathname: string): Promise<string[]> =>
    ((await fetch(`${url}${pathname}`)).headers.get('content-security-policy') ?? '').split('; ');
  const usual = await policy('/');
  for (const pathname of ['/inference', '/docs', '/docs/oauth2-redirect', '/static/icon.svg']) {
    expect(await policy(pathname)).toEqual(usual);
  }
  const redoc = await policy('/redoc');
  expect(redoc.filter((directive) => !usual.includes(directive))).toEqual([
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self' blob:",
  ]);
  expect(usual.filter((directive) => !redoc.includes(directive))).toEqual([]);
});

test.each([
  ['/favicon.ico', /^image\/(x-icon|vnd\.microsoft\.icon)$/, '00000100'],
  ['/apple-touch-icon.png', /^image\/png$/, '89504e47'],
  ['/apple-touch-icon-precomposed.png', /^image\/png$/, '89504e47'],
])('%s is an icon, and may be kept', async (pathname, type, magic) => {
  const { port } = await startServer();
  const { status, headers, body } = await askRaw(port, pathname);
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(type);
  expect(headers['cache-control']).toBe('public, max-age=86400');
  expect(body.subarray(0, 4).toString('hex')).toBe(magic);
  const again = await askRaw(port, pathname, { headers: { 'if-none-match': headers.etag } });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test('files have their types, are asked for again each time and not sent again while they hold', async () => {
  const { port } = await startServer();
  const first = await askRaw(port, '/static/icon.svg');
  expect([first.status, first.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(first.headers['cache-control']).toBe('no-cache');
  expect(first.headers.etag).toMatch(/^"[\w-]{27}"$/);
  const conditional = { headers: { 'if-none-match': first.headers.etag } };
  expect((await askRaw(port, '/static/icon.svg', conditional)).status).toBe(304);
  const head = await askRaw(port, '/static/icon.svg', { method: 'HEAD' });
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
    200,
    String(first.body.length),
    0,
  ]);
  expect((await askRaw(port, '/static/index.html')).headers['content-type']).toBe('text/html; charset=utf-8');
});

test.each([
  '/static/missing.js',
  '/static/../package.json',
  '/static/%2e%2e/package.json',
  '/static/..%2fpackage.json',
  '/static/app/..%2f..%2f..%2fpackage.json',
  '/static/..%5cpackage.json',
  '/static/..\\package.json',
  '/static//etc/passwd',
  '/static/%2fetc%2fpasswd',
  '/static/icon.svg%00.txt',
  '/static/icon.svg/',
  '/static/icon.svg/x',
  '/static/app/',
  '/static/app',
  '/static/',
  '/static',
  `/static/${'a'.repeat(5000)}`,
])('%.60s is nothing', async (pathname) => {
  const { port } = await startServer();
  const { status, headers, body } = await askRaw(port, pathname);
  expect(status).toBe(404);
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(JSON.parse(body.toString())).toEqual({ detail: 'Not Found' });
});

test('what is not percent-encoding is the request’s fault', async () => {
  const { port } = await startServer();
  const { status, body } = await askRaw(port, '/static/%E0%A4%A');
  expect([status, Object.keys(JSON.parse(body.toString()) as object)]).toEqual([400, ['detail']]);
});

test.each(['/', '/static/icon.svg', '/favicon.ico'])('%s is only to be read', async (pathname) => {
  const { url } = await startServer();
  const response = await fetch(`${url}${pathname}`, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await response.json()).toEqual({ detail: 'Method Not Allowed' });
});
