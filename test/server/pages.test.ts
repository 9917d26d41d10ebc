import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { startServer, stopServers } from './harness.ts';
import { buildStale } from '../support/built.ts';
import { folderForEach } from '../support/temporary-folder.ts';

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

test.each([
  '/',
  '/app',
  '/inference',
  '/sessions',
  '/sessions/sesn_1',
  '/workflows/session%2Fsesn_1',
  '/agents/a/versions/2',
])('%s is the page', async (pathname) => {
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
  const staticDir = folderForEach();
  const write = (text: string): void => fs.writeFileSync(path.join(staticDir(), 'index.html'), text);

  test('what a request says is escaped, and its credentials are not told', async () => {
    write(
      '{{ request.method }} {{ request.path }} {{ request.query_params.q }} {{ request.headers["x-api-key"] }}' +
        '{{ request.headers.cookie }}{{ request.headers.authorization }}[{{ request.headers.referer }}]',
    );
    const { port } = await startServer({ staticDir: staticDir() });
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
    const { url } = await startServer({ staticDir: staticDir() });
    expect(await (await fetch(url)).text()).toBe('one: Steadyhand');
    write('another: {{ title }}');
    expect(await (await fetch(url)).text()).toBe('another: Steadyhand');
  });

  test('a link out of the folder is not followed, and nothing hidden is served', async () => {
    write('');
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'outside-'));
    fs.writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    fs.writeFileSync(path.join(staticDir(), '.env'), 'secret');
    fs.symlinkSync(outside, path.join(staticDir(), 'link'));
    const { port } = await startServer({ staticDir: staticDir() });
    for (const name of ['/static/link/secret.txt', '/static/.env', '/static/link']) {
      expect([name, (await askRaw(port, name)).status]).toEqual([name, 404]);
    }
    fs.rmSync(outside, { recursive: true });
  });

  test('a folder whose own path is hidden is served all the same', async () => {
    const hidden = path.join(staticDir(), '.hidden');
    fs.mkdirSync(hidden);
    fs.writeFileSync(path.join(hidden, 'a.txt'), 'there');
    const { url } = await startServer({ staticDir: hidden });
    expect(await (await fetch(`${url}/static/a.txt`)).text()).toBe('there');
  });

  test('an entity tag is of the content: a copy made anew is the same, a change is another', async () => {
    write('');
    const file = path.join(staticDir(), 'a.txt');
    fs.writeFileSync(file, 'one');
    const { url } = await startServer({ staticDir: staticDir() });
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

describe('compressed copies', () => {
  const staticDir = folderForEach();
  const write = (name: string, content: string | Buffer): void => {
    const file = path.join(staticDir(), name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  };
  const TEXT = 'export const text = "the same again and again";\n'.repeat(100);
  const from = async (accept: string | undefined): ReturnType<typeof askRaw> => {
    const { port } = await startServer({ staticDir: staticDir() });
    return askRaw(
      port,
      '/static/app/a.js',
      accept === undefined ? {} : { headers: { 'accept-encoding': accept } },
    );
  };
  beforeEach(() => {
    write('app/a.js', TEXT);
    write('app/a.js.br', zlib.brotliCompressSync(TEXT));
    write('app/a.js.gz', zlib.gzipSync(TEXT));
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br', (body: Buffer) => zlib.brotliDecompressSync(body)],
    ['gzip, deflate', 'gzip', (body: Buffer) => zlib.gunzipSync(body)],
    ['br;q=0, gzip', 'gzip', (body: Buffer) => zlib.gunzipSync(body)],
    ['identity', undefined, (body: Buffer) => body],
    [undefined, undefined, (body: Buffer) => body],
  ])('for who accepts %s', async (accept, coding, decoded) => {
    const { status, headers, body } = await from(accept);
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, coding, 'accept-encoding']);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(decoded(body).toString()).toBe(TEXT);
  });

  test('each copy has a tag of its own', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (name) => (await from(name)).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test('a copy that is older than the file is not sent', async () => {
    fs.utimesSync(path.join(staticDir(), 'app/a.js.br'), 1, 1);
    expect((await from('br, gzip')).headers['content-encoding']).toBe('gzip');
  });

  test('only chunks, whose names say their content, are kept for good', async () => {
    write('app/chunks/page-ABCDEFGH.js', TEXT);
    const { port } = await startServer({ staticDir: staticDir() });
    expect((await askRaw(port, '/static/app/chunks/page-ABCDEFGH.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await askRaw(port, '/static/app/a.js')).headers['cache-control']).toBe('no-cache');
  });
});

test('the first page needs at most 180 kB of script as sent', async () => {
  buildStale();
  const { port } = await startServer();
  const app = path.resolve(__dirname, '../../static/app');
  const needed = new Set<string>();
  const take = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    const text = fs.readFileSync(path.join(app, name), 'utf8');
    for (const [, found = ''] of text.matchAll(/\b(?:from|import)\s*"(\.[^"]+\.js)"/g)) {
      take(path.normalize(path.join(path.dirname(name), found)));
    }
  };
  for (const name of ['main.js', 'theme.js']) take(name);
  const start = fs.readdirSync(path.join(app, 'chunks')).find((name) => /^start-page-\w+\.js$/.test(name));
  take(`chunks/${start ?? 'start-page is no chunk of its own'}`);
  let bytes = 0;
  for (const name of needed) {
    const { status, body } = await askRaw(port, `/static/app/${name}`, {
      headers: { 'accept-encoding': 'br' },
    });
    expect([name, status]).toEqual([name, 200]);
    bytes += body.length;
  }
  expect(bytes).toBeLessThan(180_000);
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
