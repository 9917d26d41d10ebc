import { createServer as createHttpServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import type { Networking } from '@steadyhand/contracts';
import { dial, type Resolve } from '../../../sandbox/egress/dial.ts';
import { EgressPolicy, type EgressSettings } from '../../../sandbox/egress/policy.ts';
import { createEgressProxy } from '../../../sandbox/egress/proxy.ts';
import { RequestLog } from '../../../sandbox/egress/request-log.ts';
import { until } from '../helpers/sandboxes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { limitedTo } from '../helpers/networking.ts';
import { listening } from '../../support/listening.ts';

const OPEN: Networking = { type: 'unrestricted' };

describe('the egress proxy', () => {
  const folder = temporaryFolder();
  const opened: { close(): unknown }[] = [];
  let log: RequestLog;
  let count = 0;
  afterEach(() => {
    for (const each of opened.splice(0)) {
      each.close();
      (each as Partial<Server>).closeAllConnections?.();
    }
  });

  async function proxy({
    networking = OPEN,
    allow_private = ['service.test', '127.0.0.1'],
    env = {},
    resolve = async () => ['127.0.0.1'],
    maxConnections = 256,
    settings = {},
  }: {
    settings?: Partial<EgressSettings>;
    networking?: Networking;
    allow_private?: readonly string[];
    env?: Record<string, string>;
    resolve?: Resolve;
    maxConnections?: number;
  } = {}): Promise<string> {
    count += 1;
    const path = join(folder, `${count}.sock`);
    log = new RequestLog(join(folder, `${count}.log`));
    const policy = new EgressPolicy(networking, { allow_private, mirrors: [], ...settings });
    const server = createEgressProxy({
      dial: (target) => dial(target, { policy, env, resolve }),
      log,
      checkServerName: networking.type === 'limited',
      maxConnections,
    });
    opened.push(server);
    await new Promise<void>((done) => server.listen(path, done));
    return path;
  }

  async function service(answer?: Parameters<typeof createHttpServer>[1]): Promise<number> {
    const server = createHttpServer(
      answer ??
        ((asked, response) =>
          void textOf(asked).then((body) =>
            response
              .setHeader('x-seen', JSON.stringify(asked.headers))
              .end(`${asked.method} ${asked.url} ${body}`),
          )),
    );
    opened.push(server);
    await listening(server);
    return (server.address() as AddressInfo).port;
  }

  interface Answer {
    readonly status: number;
    readonly body: string;
    readonly headers: Record<string, string | string[] | undefined>;
  }
  const plain = (socketPath: string, url: string, options: object = {}, body = ''): Promise<Answer> =>
    new Promise((done, fail) => {
      const call = request({ socketPath, path: url, ...options }, (response) => {
        void textOf(response).then((text) =>
          done({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
        );
      });
      call.once('error', fail).end(body);
    });
  const tunnel = (
    socketPath: string,
    authority: string,
  ): Promise<{ status: number; socket: Socket; body: string }> =>
    new Promise((done, fail) => {
      const call = request({ socketPath, method: 'CONNECT', path: authority });
      call.once('connect', (response, socket: Socket, head: Buffer) => {
        done({ status: response.statusCode ?? 0, socket, body: head.toString() });
      });
      call.once('error', fail).end();
    });
  const last = async (): Promise<unknown> => {
    await until(() => log.after(0, 1).last > 0);
    return log.after(log.after(0, 1).last - 1, 1).data[0];
  };

  it('passes plain requests on, says so in the log, and writes Host itself', async () => {
    const port = await service();
    const at = await proxy();
    const answer = await plain(
      at,
      `http://SERVICE.test:${port}/a%20b?c=d`,
      {
        method: 'POST',
        headers: {
          host: 'other.test',
          'proxy-authorization': 'x',
          connection: 'x-hop',
          'x-hop': '1',
          'x-kept': '2',
        },
      },
      'body',
    );
    expect(answer).toMatchObject({ status: 200, body: 'POST /a%20b?c=d body' });
    const seen = JSON.parse(String(answer.headers['x-seen'])) as Record<string, string>;
    expect(seen).toMatchObject({ host: `service.test:${port}`, 'x-kept': '2' });
    expect(seen).not.toHaveProperty('x-hop');
    expect(seen).not.toHaveProperty('proxy-authorization');
    expect(await last()).toMatchObject({
      number: 1,
      host: 'service.test',
      port,
      method: 'POST',
      verdict: 'allowed',
      reason: null,
    });
  });

  it('keeps the connection to the program open from request to request', async () => {
    const port = await service();
    const socket = connect(await proxy());
    opened.push({ close: () => socket.destroy() });
    let got = '';
    socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
    for (const path of ['/one', '/two']) {
      socket.write(`GET http://service.test:${port}${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await until(() => got.includes(`GET ${path} `));
    }
    expect(socket.destroyed).toBe(false);
  });

  it('carries tunnels both ways, half-closed ones too, and counts their bytes', async () => {
    const echo = createTcpServer({ allowHalfOpen: true }, (socket) => {
      let text = '';
      socket
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('end', () => socket.end(text.toUpperCase()));
    });
    opened.push(echo);
    const port = await listening(echo);
    const { status, socket } = await tunnel(await proxy(), `service.test:${port}`);
    expect(status).toBe(200);
    socket.end('x'.repeat(300_000));
    expect(await textOf(socket)).toBe('X'.repeat(300_000));
    await until(() => log.after(0, 1).last === 1);
    expect(await last()).toMatchObject({ method: 'CONNECT', bytes_sent: 300_000, bytes_received: 300_000 });
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.1',
    '127.0.0.1.',
    'localhost',
    'LOCALHOST.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '169.254.169.254',
    '[::ffff:a9fe:a9fe]',
    'innocent.test',
  ])('refuses %s in plain requests and tunnels, and reaches nothing', async (host) => {
    let reached = 0;
    const port = await service((_asked, response) => {
      reached += 1;
      response.end();
    });
    const at = await proxy({ allow_private: [] });
    const answer = await plain(at, `http://${host}:${port}/`);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatch(/does not allow a connection to .*(loopback|link-local|unspecified)/);
    expect((await tunnel(at, `${host}:${port}`)).status).toBe(403);
    expect(reached).toBe(0);
    expect(await last()).toMatchObject({
      verdict: 'denied',
      reason: expect.stringMatching('do not reach') as string,
    });
  });

  it('connects to the address that was checked: a name is looked up once', async () => {
    const port = await service();
    let lookups = 0;
    const rebinding = async (): Promise<string[]> => {
      lookups += 1;
      return [lookups === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    const at = await proxy({ allow_private: ['127.0.0.1'], resolve: rebinding });
    expect((await plain(at, `http://service.test:${port}/`)).status).toBe(200);
    expect(lookups).toBe(1);
    expect((await plain(at, `http://service.test:${port}/`)).status).toBe(403);
  });

  it('one bad address among good ones refuses the name', async () => {
    const port = await service();
    const at = await proxy({ allow_private: ['127.0.0.1'], resolve: async () => ['127.0.0.1', '10.0.0.1'] });
    expect((await plain(at, `http://mixed.test:${port}/`)).body).toMatch('10.0.0.1');
  });

  it('limited: what is not listed is refused with the reason', async () => {
    const port = await service();
    const networking: Networking = limitedTo([`service.test:${port}`]);
    const at = await proxy({ networking });
    expect((await plain(at, `http://service.test:${port}/`)).status).toBe(200);
    const refused = await tunnel(at, `other.test:${port}`);
    expect(refused.status).toBe(403);
    expect(`${refused.body}${await textOf(refused.socket)}`).toMatch('not among the allowed ones');
  });

  it('limited: TLS in a tunnel must ask for the host of the tunnel', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      socket.on('data', () => (connections += 1)).on('error', () => undefined);
    });
    opened.push(server);
    const port = await listening(server);
    const networking: Networking = limitedTo([`service.test:${port}`]);
    const at = await proxy({ networking });
    const hello = async (servername: string): Promise<Socket> => {
      const { socket } = await tunnel(at, `service.test:${port}`);
      connectTls({ socket, servername }).on('error', () => undefined);
      opened.push({ close: () => socket.destroy() });
      return socket;
    };
    const fronted = await hello('behind.test');
    await until(() => fronted.destroyed);
    expect(await last()).toMatchObject({
      verdict: 'denied',
      reason: 'TLS asks for another host (behind.test)',
    });
    expect(connections).toBe(0);
    await hello('service.test');
    await until(() => connections > 0);
  });

  describe('limited: what comes before a hello, or a hello without a name', () => {
    const OLD_HELLO = [0x80, 0x2e, 1, 3, 1, 0, 0x15, 0, 0, 0, 0x10];
    it.each([
      ['change_cipher_spec', [20, 3, 3, 0, 1, 1], 'cannot be read'],
      ['an alert', [21, 3, 3, 0, 2, 1, 0], 'cannot be read'],
      ['application data', [23, 3, 3, 0, 1, 0], 'cannot be read'],
      ['a heartbeat', [24, 3, 3, 0, 1, 1], 'cannot be read'],
      ['a hello of SSL 2.0', OLD_HELLO, 'no host by name'],
      ['a hello without a name', null, 'no host by name'],
    ])('%s is refused and reaches nobody', async (_what, bytes, reason) => {
      let got = 0;
      const server = createTcpServer((socket) => {
        socket.on('data', (chunk: Buffer) => (got += chunk.length)).on('error', () => undefined);
      });
      opened.push(server);
      const port = await listening(server);
      const networking: Networking = limitedTo([`service.test:${port}`]);
      const { socket } = await tunnel(await proxy({ networking }), `service.test:${port}`);
      opened.push({ close: () => socket.destroy() });
      // Without a server name Node's client gives none.
      if (bytes === null) connectTls({ socket }).on('error', () => undefined);
      else socket.on('error', () => undefined).write(Buffer.from(bytes));
      await until(() => socket.destroyed);
      expect(await last()).toMatchObject({
        verdict: 'denied',
        reason: expect.stringMatching(reason) as string,
      });
      expect(got).toBe(0);
    });
  });

  it('limited: a server that speaks first is heard at once, and TLS that comes later is looked into', async () => {
    let got = '';
    const server = createTcpServer((socket) => {
      socket.on('data', (chunk) => (got += chunk.toString('latin1'))).on('error', () => undefined);
      socket.write('220 hello');
    });
    opened.push(server);
    const port = await listening(server);
    const networking: Networking = limitedTo([`service.test:${port}`]);
    const { socket, body } = await tunnel(await proxy({ networking }), `service.test:${port}`);
    let heard = body;
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('error', () => undefined);
    await until(() => heard === '220 hello');
    // The begin of a TLS handshake that is longer than any is.
    const record = Buffer.concat([Buffer.from([22, 3, 1, 0x40, 0]), Buffer.alloc(0x4000, 1)]);
    record.set([1, 1, 0, 0], 5);
    socket.write(Buffer.concat([record, record, record]));
    await until(() => socket.destroyed);
    expect(await last()).toMatchObject({ verdict: 'denied', reason: 'the TLS handshake cannot be read' });
    expect(got).toBe('');
  });

  it('a program that goes away while its connection is made takes no room', async () => {
    const port = await service();
    const waiting: (() => void)[] = [];
    let isSlow = true;
    const resolve = (): Promise<string[]> =>
      isSlow
        ? new Promise((done) => waiting.push(() => done(['127.0.0.1'])))
        : Promise.resolve(['127.0.0.1']);
    const networking: Networking = limitedTo([`service.test:${port}`]);
    const at = await proxy({ networking, resolve, maxConnections: 2 });
    for (const [index, head] of [
      `CONNECT service.test:${port} HTTP/1.1`,
      `GET http://service.test:${port}/ HTTP/1.1`,
    ].entries()) {
      const socket = connect(at);
      socket.write(`${head}\r\nHost: x\r\n\r\n`);
      await until(() => waiting.length > index);
      socket.destroy();
      await new Promise((done) => socket.once('close', done));
    }
    isSlow = false;
    for (const go of waiting) go();
    await until(() => log.after(0, 10).last === 2);
    expect((await plain(at, `http://service.test:${port}/`)).status).toBe(200);
  });

  it('a slow reader gets all that a server sent before it ended', async () => {
    // About what the sockets' own buffers hold: the last of it is in the proxy's memory when the server has gone.
    for (const size of [310_000, 330_000, 350_000]) {
      let gone: () => void = () => undefined;
      const closed = new Promise<void>((done) => (gone = done));
      let far: Socket | undefined;
      const server = createTcpServer((socket) => {
        far = socket.once('close', gone);
        socket.end(Buffer.alloc(size, 'x'));
      });
      opened.push(server);
      const port = await listening(server);
      const { socket, body } = await tunnel(await proxy(), `service.test:${port}`);
      socket.pause();
      // Where less fits the server waits for the reader: two looks then find the same.
      let unsent = -1;
      const isStill = (): boolean => unsent === (unsent = far?.writableLength ?? -1) && unsent >= 0;
      await Promise.race([closed, until(isStill)]);
      expect(body.length + (await textOf(socket)).length).toBe(size);
    }
  });

  it('what ends a request stays with it, whatever its Connection header lists', async () => {
    const port = await service();
    const at = await proxy();
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: other.test\r\n\r\n';
    const headers = { connection: 'close, content-length', 'content-length': smuggled.length };
    const answer = await plain(at, `http://service.test:${port}/`, { headers }, smuggled);
    expect(answer.body).toBe(`GET / ${smuggled}`);
  });

  it('says what failed where nothing was refused', async () => {
    const at = await proxy({
      resolve: async (host) => {
        if (host === 'missing.test') throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
        return ['127.0.0.1'];
      },
    });
    expect(await plain(at, 'http://missing.test/')).toMatchObject({
      status: 502,
      body: expect.stringMatching('ENOTFOUND') as string,
    });
    expect((await plain(at, 'http://service.test:1/')).body).toMatch('ECONNREFUSED');
    expect(await last()).toMatchObject({
      verdict: 'allowed',
      reason: 'the connection failed (ECONNREFUSED)',
    });
  });

  /** A proxy as machines have one; `asked` holds what it was asked for. */
  async function upstreamTo(port: number, refusing: readonly string[] = []) {
    const asked: string[] = [];
    const upstream = createHttpServer();
    upstream.on('connect', (call, socket) => {
      asked.push(`${call.url} ${call.headers['proxy-authorization']}`);
      if (refusing.includes(call.url ?? '')) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
    });
    opened.push(upstream);
    const at = await listening(upstream);
    return { asked, env: { https_proxy: `http://me:word@127.0.0.1:${at}`, NO_PROXY: '.direct.test' } };
  }
  const AS_ME = `Basic ${Buffer.from('me:word').toString('base64')}`;
  const notFound = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

  it('goes out through the proxy that the server itself uses, which is asked for the checked address', async () => {
    const port = await service();
    const { asked, env } = await upstreamTo(port);
    const lookups: string[] = [];
    const resolve: Resolve = async (host) => {
      lookups.push(host);
      return [host === 'far.test' ? '8.8.8.8' : '127.0.0.1'];
    };
    const at = await proxy({ env, resolve, allow_private: ['service.direct.test'] });
    const answer = await plain(at, 'http://far.test/x');
    expect(answer.body).toBe('GET /x ');
    expect(JSON.parse(String(answer.headers['x-seen']))).toMatchObject({ host: 'far.test' });
    expect(asked).toEqual([`8.8.8.8:80 ${AS_ME}`]);
    expect(lookups).toEqual(['far.test']);
    const { status, socket } = await tunnel(at, 'far.test:443');
    socket.destroy();
    expect(status).toBe(200);
    expect(asked).toEqual([`8.8.8.8:80 ${AS_ME}`, `8.8.8.8:443 ${AS_ME}`]);
    expect((await plain(at, `http://service.direct.test:${port}/`)).status).toBe(200);
    expect((await plain(at, 'http://inner.test/')).status).toBe(403);
    expect((await plain(at, 'http://169.254.169.254/')).status).toBe(403);
    expect(asked).toHaveLength(2);
  });

  it('asks the upstream proxy for the next address where it cannot reach the first', async () => {
    const { asked, env } = await upstreamTo(await service(), ['[2606:4700::1111]:80']);
    const at = await proxy({ env, resolve: async () => ['2606:4700::1111', '8.8.4.4'] });
    expect((await plain(at, 'http://far.test/')).status).toBe(200);
    expect(asked.map((each) => each.split(' ')[0])).toEqual(['[2606:4700::1111]:80', '8.8.4.4:80']);
  });

  it('gives the upstream proxy no name that does not resolve here, but what the operator named', async () => {
    const { asked, env } = await upstreamTo(await service());
    const at = await proxy({ env, resolve: notFound, allow_private: ['wiki.corp'] });
    for (const name of ['far.test', 'metadata.google.internal', 'intranet', '127.0.0.1.nip.io']) {
      expect((await plain(at, `http://${name}/`)).status).toBe(403);
      expect((await tunnel(at, `${name}:443`)).status).toBe(403);
    }
    expect((await plain(at, 'http://far.test/')).body).toMatch('does not resolve on this machine');
    expect(asked).toEqual([]);
    expect((await plain(at, 'http://wiki.corp/')).status).toBe(200);
    expect(asked).toEqual([`wiki.corp:80 ${AS_ME}`]);
  });

  it('leaves names to the upstream proxy where that is asked for, and checks those that resolve', async () => {
    const { asked, env } = await upstreamTo(await service());
    const resolve: Resolve = async (host) => {
      if (host === 'public.test') return ['8.8.8.8'];
      return host === 'inner.test' ? ['10.0.0.1'] : notFound();
    };
    const at = await proxy({ env, resolve, settings: { resolve: 'upstream' } });
    expect((await plain(at, 'http://far.test/')).status).toBe(200);
    expect((await plain(at, 'http://public.test/')).status).toBe(200);
    for (const name of [
      'inner.test',
      'metadata.google.internal',
      'intranet',
      '127.0.0.1.nip.io',
      'x.internal',
    ])
      expect((await plain(at, `http://${name}/`)).status).toBe(403);
    expect(asked).toEqual([`far.test:80 ${AS_ME}`, `public.test:80 ${AS_ME}`]);
  });

  it('holds the connections at a time', async () => {
    const port = await service(() => undefined);
    const at = await proxy({ maxConnections: 2 });
    const held = [await tunnel(at, `service.test:${port}`), await tunnel(at, `service.test:${port}`)];
    expect((await tunnel(at, `service.test:${port}`)).status).toBe(403);
    for (const { socket } of held) socket.destroy();
    await until(() => log.after(0, 10).last === 3);
    const again = await tunnel(at, `service.test:${port}`);
    expect(again.status).toBe(200);
    again.socket.destroy();
  });

  it('garbage, other schemes and requests for itself are refused, and it goes on', async () => {
    const port = await service();
    const at = await proxy();
    for (const bytes of [
      '\0\x01\x02garbage\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'CONNECT nonsense HTTP/1.1\r\n\r\n',
      `GET http://service.test:${port}/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\nHost: x\r\n\r\n0\r\n\r\n`,
      `GET http://x/${'y'.repeat(40_000)} HTTP/1.1\r\n\r\n`,
    ]) {
      const socket = connect(at);
      socket.end(bytes);
      expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    expect((await plain(at, 'https://service.test/')).status).toBe(400);
    expect((await plain(at, `http://service.test:${port}/`)).status).toBe(200);
  });
});
