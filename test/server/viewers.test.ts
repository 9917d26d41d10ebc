import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { WebSocket } from 'ws';
import { clientKey } from '../../server/auth/client-key.ts';
import { Tickets } from '../../server/watching/tickets.ts';
import { startServer, stopServers } from './harness.ts';

/** Who is let in to watch. The screen is an echo here; a real one is in test/sandbox/watching and test/e2e/takeover. */

afterEach(stopServers);

const sandboxes = { get: async (id: string) => ({ id }) };
const watched: unknown[] = [];
const watching = {
  watch: async (sandbox: string, takeover: string | null) => {
    watched.push([sandbox, takeover]);
    return new PassThrough();
  },
};
const KEYS = { kind: 'keys', keys: [clientKey('a-key-of-some-length')] } as const;
const KEY = { 'x-api-key': 'a-key-of-some-length', 'anthropic-version': '2023-06-01' };

/** How a WebSocket fares: what it is sent back of `hello`, or the status that it is refused with. */
function connect(
  url: string,
  protocols: string[],
  options: { readonly headers?: Record<string, string>; readonly origin?: string } = {},
): Promise<string | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), protocols, options);
    socket.on('open', () => socket.send('hello'));
    socket.on('message', (data: Buffer) => {
      resolve(data.toString());
      socket.close();
    });
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
    socket.on('error', reject);
  });
}

async function ticketFor(url: string, id: string, body: object = {}): Promise<string> {
  const headers = { ...KEY, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1/sandboxes/${id}/vnc_ticket`, init);
  const { ticket, path } = (await response.json()) as { ticket: string; path: string };
  expect(path).toBe(`/v1/sandboxes/${id}/vnc`);
  return `ticket.${ticket}`;
}

test('a ticket lets in once, to its own sandbox; a key does; nothing else does', async () => {
  const { url, logged } = await startServer({ access: KEYS, sandboxes, watching } as never);
  const screen = `${url}/v1/sandboxes/sbx_1/vnc`;
  const ticket = await ticketFor(url, 'sbx_1', { takeover_id: 'tkov_1' });
  expect(await connect(screen, ['binary', ticket], { origin: 'http://any' })).toBe('hello');
  expect(watched.at(-1)).toEqual(['sbx_1', 'tkov_1']);
  expect(await connect(screen, ['binary', ticket])).toBe(401);
  expect(await connect(screen, ['binary', await ticketFor(url, 'sbx_2')])).toBe(403);
  expect(await connect(`${screen}?takeover_id=tkov_2`, [], { headers: KEY })).toBe('hello');
  expect(watched.at(-1)).toEqual(['sbx_1', 'tkov_2']);
  expect(await connect(screen, ['binary'])).toBe(401);
  expect(await connect(screen, [], { headers: { 'x-api-key': 'another-key' } })).toBe(401);
  expect(await connect(`${url}/v1/sandboxes/sbx_1/other`, [], { headers: KEY })).toBe(404);
  expect(JSON.stringify(logged)).not.toContain(ticket.slice('ticket.'.length));
});

test('wrong keys slow down their own address, also behind a proxy that is trusted', async () => {
  const clock = { now: () => 0, wait: async () => {} };
  const { url } = await startServer({
    access: KEYS,
    sandboxes,
    watching,
    trustedProxies: ['127.0.0.1'],
    ...clock,
  } as never);
  const from = (address: string, key: string): Promise<string | number> =>
    connect(`${url}/v1/sandboxes/sbx_1/vnc`, ['binary'], {
      headers: { 'x-api-key': key, 'x-forwarded-for': address },
    });
  for (let tried = 0; tried < 20; tried += 1) expect(await from('192.0.2.7', 'another-key')).toBe(401);
  expect(await from('192.0.2.7', 'another-key')).toBe(429);
  expect(await from('192.0.2.8', KEY['x-api-key'])).toBe('hello');
});

test('without keys: from this machine, and from pages of this server alone', async () => {
  const { url } = await startServer({ sandboxes, watching } as never);
  const screen = `${url}/v1/sandboxes/sbx_1/vnc`;
  expect(await connect(screen, ['binary'])).toBe('hello');
  expect(await connect(screen, ['binary'], { origin: url })).toBe('hello');
  expect(await connect(screen, ['binary'], { origin: 'http://evil.example' })).toBe(403);
  expect(await connect(screen, ['binary'], { headers: { host: 'evil.example' } })).toBe(403);
});

test('viewers are gone when the server stops', async () => {
  const { url, server } = await startServer({ sandboxes, watching } as never);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/sandboxes/sbx_1/vnc`, ['binary']);
  await new Promise((resolve) => socket.once('open', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await server.close();
  await closed;
  expect(socket.readyState).toBe(WebSocket.CLOSED);
});

test('a handshake that fails leaves no line to a screen open, and a fault of that line stops nothing', async () => {
  const screens: PassThrough[] = [];
  const watch = async (): Promise<PassThrough> => {
    const screen = new PassThrough();
    screens.push(screen);
    return screen;
  };
  const { url } = await startServer({ sandboxes, watching: { watch } } as never);
  const ask = (target: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket' };
      const { port } = new URL(url);
      const call = request({ port, host: '127.0.0.1', path: target, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      });
      call.once('error', reject).end();
    });
  expect(await ask('/v1/sandboxes/sbx_1/vnc')).toBe(400);
  const [screen] = screens;
  if (!screen?.closed) await new Promise((resolve) => screen?.once('close', resolve));
  expect(screen?.listenerCount('error')).toBeGreaterThan(0);
  expect(await ask('//')).toBe(404);
});

test('a client that offers to go on in HTTP/2 is answered as any other, its body too', async () => {
  const { url } = await startServer();
  const body = JSON.stringify({ name: 'x'.repeat(100_000), model: 'script' });
  const answer = await new Promise<string>((resolve, reject) => {
    const call = request(
      `${url}/v1/agents`,
      {
        method: 'POST',
        headers: {
          connection: 'Upgrade, HTTP2-Settings',
          upgrade: 'h2c',
          'http2-settings': 'AAMAAABkAAQAAP__',
          'content-type': 'application/json',
          'content-length': String(body.length),
          'anthropic-version': '2023-06-01',
        },
      },
      (response) => {
        response.setEncoding('utf8');
        let text = `${response.statusCode} `;
        response.on('data', (part: string) => (text += part));
        response.on('end', () => resolve(text));
      },
    );
    call.once('error', reject);
    call.end(body);
  });
  expect(answer).toMatch(/^400 .*name/);
});

test('a ticket of one server lets in at another with the same store and key, once among all of them', async () => {
  const first = await startServer({ access: KEYS, sandboxes, watching } as never);
  const { onceOnly } = first.store;
  const second = await startServer({ access: KEYS, sandboxes, watching, onceOnly } as never);
  const stranger = await startServer({
    access: KEYS,
    sandboxes,
    watching,
    onceOnly,
    ticketKey: 'another',
  } as never);
  const screen = '/v1/sandboxes/sbx_1/vnc';
  const ticket = await ticketFor(first.url, 'sbx_1', { takeover_id: 'tkov_1' });
  expect(await connect(`${stranger.url}${screen}`, ['binary', ticket])).toBe(401);
  expect(await connect(`${second.url}${screen}`, ['binary', ticket])).toBe('hello');
  expect(watched.at(-1)).toEqual(['sbx_1', 'tkov_1']);
  expect(await connect(`${first.url}${screen}`, ['binary', ticket])).toBe(401);
  expect(await connect(`${second.url}${screen}`, ['binary', ticket])).toBe(401);
});

test('tickets do not last', async () => {
  let now = 0;
  const tickets = ticketsAt(() => now);
  const { ticket } = tickets.issue({ sandbox: 'sbx_1', takeover: null });
  const { ticket: other } = tickets.issue({ sandbox: 'sbx_1', takeover: null });
  now = 29_999;
  expect(await tickets.redeem(ticket)).toEqual({ sandbox: 'sbx_1', takeover: null });
  now = 30_000;
  expect(await tickets.redeem(other)).toBeNull();
});

test('a ticket that was changed, or made up, is none', async () => {
  const tickets = ticketsAt(() => 0);
  const { ticket } = tickets.issue({ sandbox: 'sbx_1', takeover: null });
  const [text = '', mac = ''] = ticket.split('.');
  const content = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...content, sandbox: 'sbx_2' })).toString('base64url');
  for (const made of [`${changed}.${mac}`, text, `${text}.`, `.${mac}`, '', '.', `${text}.${mac.slice(1)}`]) {
    expect(await tickets.redeem(made)).toBeNull();
  }
  expect(await tickets.redeem(ticket)).not.toBeNull();
});

function ticketsAt(now: () => number): Tickets {
  return new Tickets({ ticketKey: 'a key', onceOnly: { take: async () => true }, now });
}
