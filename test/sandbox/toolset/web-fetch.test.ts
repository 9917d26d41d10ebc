import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Networking } from '@steadyhand/contracts';
import { readNetworkLog } from '../../../sandbox/client/network-log.ts';
import { fetchPage } from '../../../sandbox/guest/fetch/fetch-page.ts';
import { htmlText } from '../../../sandbox/guest/fetch/html-text.ts';
import { proxyFor } from '../../../sandbox/guest/fetch/http-get.ts';
import { ToolsetBench } from './toolset-bench.ts';
import { limitedTo } from '../helpers/networking.ts';
import { openedForAll } from '../../support/opened.ts';
import { listening } from '../../support/listening.ts';

const PAGE = `<!doctype html><html><head><title>A &amp; B</title><style>p{}</style><script>var a = "<p>no</p>";</script></head>
<body><nav><a href="/home">Home</a></nav><h2>First  heading</h2><p>Some <b>bold</b> text &mdash; caf&eacute;<br>next line</p>
<ul><li>one</li><li><a href="sub/two.html#x">two <i>links</i></a></li></ul>
<pre>  kept
    as is</pre><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<img alt="A cat" src="cat.png"><!-- hidden --><noscript>off</noscript></body></html>`;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const answers: RequestListener = (request, response) => {
  const send = (type: string, body: string | Buffer, more: object = {}): void => {
    response.writeHead(200, { 'content-type': type, ...more }).end(body);
  };
  switch (request.url) {
    case '/page':
      return send('text/html; charset=utf-8', PAGE);
    case '/latin1':
      return send('text/html; charset=iso-8859-1', Buffer.from('<p>caf\xe9</p>', 'latin1'));
    case '/json':
      return send('application/json', '{"a": 1}', { 'content-encoding': 'identity' });
    case '/zipped':
      return send('text/plain', gzipSync('packed'), { 'content-encoding': 'gzip' });
    case '/bomb':
      return send('text/plain', gzipSync(Buffer.alloc(64 * 1024 * 1024)), { 'content-encoding': 'gzip' });
    case '/endless': {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      return more();
    }
    case '/hang':
      return;
    case '/png':
      return send('image/png', PNG);
    case '/zip':
      return send('application/zip', 'PK\x03\x04');
    case '/long':
      return send('text/plain', 'word '.repeat(40_000));
    case '/here':
      return void response.writeHead(302, { location: '/json' }).end();
    case '/there':
      return void response.writeHead(301, { location: 'http://127.0.0.3:1/private' }).end();
    case '/loop':
      return void response.writeHead(302, { location: '/loop' }).end();
    case '/gone':
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
      return;
    default:
      send('text/plain', request.url ?? '');
  }
};

describe('web_fetch', () => {
  let service: Server;
  let port: number;
  let bench: ToolsetBench;
  beforeAll(async () => {
    service = createServer(answers);
    port = await listening(service, '0.0.0.0');
    bench = await ToolsetBench.open({ allowPrivate: [`127.0.0.2:${port}`] });
  }, 120_000);
  afterAll(async () => {
    await bench.close();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  /** An address of this machine that the sandbox does not take for its own. */
  const at = (path: string): string => `http://127.0.0.2:${port}${path}`;
  const fetched = (path: string, more?: object): Promise<string> =>
    bench.call('web_fetch', { url: at(path) }, more);

  it('gives a page as Markdown, and other texts as they are', async () => {
    expect(await fetched('/page')).toBe(
      [
        '# A & B',
        '',
        `[Home](${at('/home')})`,
        '',
        '## First heading',
        '',
        'Some bold text — café',
        'next line',
        '',
        '- one',
        `- [two links](${at('/sub/two.html#x')})`,
        '',
        '```',
        '  kept',
        '    as is',
        '```',
        '',
        'a | b',
        '1 | 2',
        '',
        `![A cat](${at('/cat.png')})`,
      ].join('\n'),
    );
    expect(await fetched('/latin1')).toBe('café');
    expect(await fetched('/json')).toBe('{"a": 1}');
    expect(await fetched('/zipped')).toBe('packed');
    expect(await fetched('/x?y=1#z')).toBe('/x?y=1');
  });

  it('gives a picture as a picture, and says of other files what they are', async () => {
    expect(await bench.use('web_fetch', { url: at('/png') })).toMatchObject({
      is_error: false,
      content: [{ type: 'image', source: { media_type: 'image/png', data: PNG.toString('base64') } }],
    });
    expect(await fetched('/zip')).toMatch(
      /^error: web_fetch: .*\/zip is no text but application\/zip, 4 bytes/,
    );
  });

  it('follows a redirect on the same host, tells one to another, and ends a circle', async () => {
    expect(await fetched('/here')).toBe('{"a": 1}');
    expect(await fetched('/there')).toBe(
      `${at('/there')} leads to another address (HTTP 301), which was not fetched: http://127.0.0.3:1/private\nFetch that one if it is wanted.`,
    );
    expect(await fetched('/loop')).toMatch(/^error: .*more than 10 redirects/);
  });

  it('takes no more than can be held or shown', async () => {
    expect(await fetched('/endless')).toMatch(/^error: .*more than 10485760 bytes/);
    expect(await fetched('/bomb')).toMatch(/^error: .*more than 10485760 bytes/);
    const long = await fetched('/long');
    expect(long).toMatch(/\[200000 characters, .* the whole is in (\S+)\]/);
    expect(long.length).toBeLessThan(21_000);
    expect(await fetched('/long', { max_content_tokens: 5 })).toBe(
      'word word word word \n[cut at 5 tokens; the text has 200000 characters]',
    );
  });

  it('tells what an error page says, as an error', async () => {
    expect(await fetched('/gone')).toBe(`error: no such page\nweb_fetch: ${at('/gone')}: HTTP 404`);
  });

  it('is stopped by an interrupt', async () => {
    const tool = { type: 'agent_toolset_20260401', name: 'web_fetch' };
    const request = { key: 'hang', tool, input: { url: at('/hang') } };
    const reached = new Promise<void>((resolve) => service.once('request', () => resolve()));
    const running = bench.client.perform(bench.id, request);
    await reached;
    await bench.client.interrupt(bench.id, 'hang');
    expect(await running).toMatchObject({
      status: 'interrupted',
      is_error: true,
      content: `web_fetch: ${at('/hang')}: interrupted`,
    });
  });

  it.each([
    [{}, 'url is required'],
    [{ url: 'example.com' }, '"example.com" is no absolute URL'],
    [{ url: 'file:///etc/passwd' }, 'only http and https are fetched, not file'],
    [{ url: 'http://a:b@example.com' }, 'a URL with a user name or a password is not fetched'],
    [{ url: `http://a/${'x'.repeat(2048)}` }, 'url has at most 2048 characters'],
  ])('says what is wrong with %j', async (input, problem) => {
    expect(await bench.call('web_fetch', input)).toBe(`error: web_fetch: ${problem}`);
  });

  it('keeps to the domains that the agent’s configuration names', async () => {
    const allowed = { allowed_domains: ['example.com', 'host'] };
    expect(await fetched('/json', allowed)).toMatch(/^error: .*127.0.0.2 is not among the domains/);
    expect(await fetched('/json', { allowed_domains: ['127.0.0.2'] })).toBe('{"a": 1}');
    expect(await fetched('/json', { blocked_domains: ['127.0.0.2.'] })).toMatch(
      /is among the domains that are not/,
    );
  });

  it('goes where the sandbox’s networking lets it, and each request is told', async () => {
    const limited: Networking = limitedTo(['127.0.0.2:1']);
    const denied = { tool: { type: 'agent_toolset_20260401', name: 'web_fetch' } };
    const { id } = await bench.client.create({ networking: limited });
    for (const [key, url] of [
      ['plain', at('/json')],
      ['tunnel', 'https://example.com/'],
    ] as const)
      expect(await bench.client.perform(id, { ...denied, key, input: { url } })).toMatchObject({
        is_error: true,
        content: expect.stringMatching(/does not allow a connection to .* not among/s) as unknown,
      });
    const { data } = await readNetworkLog(bench.client, id);
    expect(data.map(({ method, host, verdict }) => `${method} ${host} ${verdict}`)).toEqual([
      'GET 127.0.0.2 denied',
      'CONNECT example.com denied',
    ]);
  }, 40_000);

  it('goes nowhere where there is no network', async () => {
    const { id: closed } = await bench.client.create({ networking: { type: 'none' } });
    const tool = { type: 'agent_toolset_20260401', name: 'web_fetch' };
    const input = { url: 'http://93.184.216.34/' };
    expect(await bench.client.perform(closed, { key: 'k', tool, input })).toMatchObject({
      is_error: true,
      content: 'web_fetch: http://93.184.216.34/: the host cannot be reached',
    });
  }, 40_000);

  it('does not reach private addresses that the operator has not named', async () => {
    const strict = bench.test.client({});
    const { id } = await strict.create();
    for (const [key, url] of [
      ['a', at('/json')],
      ['b', `http://127.0.0.3:${port}/json`],
      ['c', 'http://169.254.169.254/latest/meta-data'],
    ] as const) {
      const tool = { type: 'agent_toolset_20260401', name: 'web_fetch' };
      expect(await strict.perform(id, { key, tool, input: { url } })).toMatchObject({
        is_error: true,
        content: expect.stringMatching(/does not allow a connection/) as unknown,
      });
    }
  }, 120_000);
});

describe('by TLS', () => {
  const pem = (name: string): string => join(__dirname, '../../engine/tls', name);
  const server = openedForAll(() =>
    createTlsServer(
      { cert: readFileSync(pem('localhost.crt')), key: readFileSync(pem('localhost.key')) },
      answers,
    ),
  );
  let url = '';
  beforeAll(async () => {
    await listening(server);
    url = `https://localhost:${(server.address() as AddressInfo).port}/json`;
  });
  const fetched = (env: Readonly<Record<string, string>>) =>
    fetchPage(url, new AbortController().signal, env);

  it('a page is fetched through the proxy that the environment names', async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url: target = '' }, socket) => {
      asked.push(target);
      const there = connect(Number(target.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
    });
    await listening(proxy);
    const { port } = proxy.address() as AddressInfo;
    const page = await fetched({
      NODE_EXTRA_CA_CERTS: pem('ca.crt'),
      https_proxy: `http://127.0.0.1:${port}`,
    });
    expect(page).toMatchObject({ kind: 'text', text: '{"a": 1}' });
    expect(asked).toEqual([new URL(url).host]);
    proxy.close();
  });

  it('the authorities in the file that the environment names are trusted, and no others', async () => {
    const known = { NODE_EXTRA_CA_CERTS: pem('ca.crt') };
    expect(await fetched(known)).toMatchObject({ kind: 'text', text: '{"a": 1}' });
    // A second one has nothing to read any more.
    expect(await fetched(known)).toMatchObject({ kind: 'text', text: '{"a": 1}' });
    const others = [{}, { NODE_EXTRA_CA_CERTS: pem('client-ca.crt') }, { NODE_EXTRA_CA_CERTS: pem('none') }];
    for (const env of others)
      expect(await fetched(env)).toEqual({
        kind: 'failed',
        reason: expect.stringMatching(/certificate/i) as unknown,
      });
  });
});

describe('the text of a page', () => {
  it('is found in what is malformed', () => {
    const text = (html: string): string => htmlText(html, 'http://a/').text;
    expect(text('a < b <p>c</p')).toBe('a < b\n\nc');
    expect(text('<p>un<b>closed <div>x<script>never')).toBe('unclosed\n\nx');
    expect(text('<a href=javascript:x>y</a> <a href="#z">w</a>')).toBe('y w');
    expect(text('&#x41;&#66;&nosuch;&#0;&#xD800;&lt;p&gt;')).toBe('AB&nosuch;\ufffd\ufffd<p>');
    expect(text("<p title='>'>in</p><!-->x-->y")).toContain('in');
  });

  it('takes time in proportion to the page, whatever it is made of', () => {
    for (const piece of [
      '<a href="x">',
      '<!--',
      '<p a="',
      '&#',
      '<li><ul>',
      '<table><td>',
      ' \t',
      '<',
      '<script>',
    ])
      expect(typeof htmlText(piece.repeat(200_000), 'http://a/').text).toBe('string');
  }, 60_000);
});

describe('the proxy of an address', () => {
  const env = {
    HTTP_PROXY: 'http://p:1',
    https_proxy: 'http://q:2',
    NO_PROXY: 'localhost, .inside.example,c:8080',
  };
  it.each([
    ['http://a/', 'http://p:1/'],
    ['https://a/', 'http://q:2/'],
    ['http://localhost:3000/', null],
    ['http://x.inside.example/', null],
    ['http://c:8080/', null],
    ['http://c/', 'http://p:1/'],
  ])('%s: %s', (url, proxy) => {
    expect(proxyFor(new URL(url), env)?.href ?? null).toBe(proxy);
  });
});
