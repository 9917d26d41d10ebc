import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SessionEvent } from '../../web/client/api.ts';
import { followEvents, followStream } from '../../web/client/event-stream.ts';
import { listening } from '../support/listening.ts';

/** The page's reader against a server that cuts frames where it hurts. `fetch` here needs whole addresses, the page not. */

let server: http.Server;
let answers: ((req: http.IncomingMessage, res: http.ServerResponse) => void)[];
let seen: (string | undefined)[];

beforeEach(async () => {
  answers = [];
  seen = [];
  server = http.createServer((req, res) => {
    seen.push(req.headers['last-event-id'] as string | undefined);
    const answer = answers.shift();
    if (answer === undefined) res.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    else answer(req, res);
  });
  await listening(server);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const direct = globalThis.fetch;
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((path, init) => direct(typeof path === 'string' ? `${base}${path}` : path, init));
  Object.assign(globalThis, { localStorage: { getItem: () => null } });
});
afterEach(async () => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'localStorage');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Follows until `count` events or problems were seen. */
async function follow(count: number): Promise<string[]> {
  const stop = new AbortController();
  const log: string[] = [];
  const note = (line: string): void => {
    if (log.push(line) === count) stop.abort();
  };
  await followEvents(
    'sesn_1',
    {
      opened: () => note('opened'),
      event: (event: SessionEvent) => note(event.type),
      lost: (error) => note(error instanceof Error ? error.message : String(error)),
    },
    stop.signal,
  );
  return log;
}

const frame = (id: string, type: string): string =>
  `id: ${id}\nevent: ${type}\ndata: {"id":"${id}","type":"${type}"}\n\n`;

test('frames are whole wherever the network cuts them, and pings are no events', async () => {
  answers.push((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(
      `event: ping\ndata: {"type":"ping"}\n\n${frame('a', 'user.message')}: comment\n\n${frame('b', 'agent.message')}`,
    );
    let at = 0;
    const drip = (): void => {
      if (at === bytes.length || res.destroyed) return;
      res.write(bytes.subarray(at, ++at), drip);
    };
    drip();
  });
  expect(await follow(3)).toEqual(['opened', 'user.message', 'agent.message']);
});

test('after a cut it goes on behind the last event it had, and says what was wrong', async () => {
  answers.push(
    (_req, res) => res.writeHead(200).end(`${frame('a', 'user.message')}id: b\nevent: half`),
    (_req, res) =>
      res.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"not yet"}}'),
    (_req, res) => res.writeHead(200).end(frame('b', 'agent.message')),
  );
  expect(await follow(6)).toEqual([
    'opened',
    'user.message',
    'The server ended the stream.',
    'not yet',
    'opened',
    'agent.message',
  ]);
  expect(seen).toEqual([undefined, 'a', 'a']);
});

test('any other stream is followed the same way, by whoever opens it', async () => {
  answers.push(
    (_req, res) => res.writeHead(200).end('id: 7\ndata: {"n":1}\n\n'),
    (_req, res) => res.writeHead(200).end('id: 8\ndata: {"n":2}\n\n'),
  );
  const stop = new AbortController();
  const got: unknown[] = [];
  await followStream(
    (headers) => fetch('/elsewhere', { headers }),
    {
      opened: () => undefined,
      event: (event) => {
        if (got.push(event) === 2) stop.abort();
      },
      lost: () => undefined,
    },
    stop.signal,
  );
  expect(got).toEqual([{ n: 1 }, { n: 2 }]);
  expect(seen).toEqual([undefined, '7']);
});
