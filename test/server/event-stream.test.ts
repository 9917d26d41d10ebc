import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type EventStream, openEventStream } from '../../server/http/event-stream.ts';
import { madeForEach } from '../support/opened.ts';

/** The stream itself, on a server of its own, with a heartbeat that a test can wait for. */

let server: http.Server;
let opened: Promise<EventStream>;

const drain = madeForEach(() => new AbortController());
beforeEach(async () => {
  const app = express();
  opened = new Promise((resolve) => {
    app.get('/', (_req, res) => resolve(openEventStream(res, drain.signal, 20)));
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function connect(): Promise<http.IncomingMessage> {
  return new Promise((resolve) => {
    http.get({ port: (server.address() as AddressInfo).port }, resolve);
  });
}

async function readUntil(response: http.IncomingMessage, end: string): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.includes(end)) break;
  }
  return text;
}

test('the headers come at once, and a silent stream says that it lives', async () => {
  const response = await connect();
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  });
  expect(await readUntil(response, '\n\n')).toBe('event: ping\ndata: {"type": "ping"}\n\n');
});

test('an event is one frame with its id, its name and its data, line breaks and all', async () => {
  const response = await connect();
  await (await opened).send({ type: 'agent.message', id: 'sevt_1', data: { text: 'one\ntwo' } });
  expect(await readUntil(response, 'sevt_1')).toContain(
    'id: sevt_1\nevent: agent.message\ndata: {"text":"one\\ntwo"}\n\n',
  );
});

test('a reader that does not read holds the writer back, and one that leaves frees it', async () => {
  const response = await connect();
  const stream = await opened;
  const data = 'x'.repeat(1 << 20);
  let sent = 0;
  const writing = (async () => {
    while (!stream.signal.aborted) {
      await stream.send({ type: 'user.message', data });
      sent += 1;
    }
  })();
  // It stops by itself once the buffers on the way are full.
  let seen = -1;
  while (seen !== sent) {
    seen = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(sent).toBeLessThan(64);
  response.destroy();
  await writing;
});

test('a server that drains ends the stream, also one that opens just then', async () => {
  const response = await connect();
  const stream = await opened;
  drain.abort();
  await readUntil(response, 'never');
  expect(stream.signal.aborted).toBe(true);
  await stream.send({ type: 'user.message', data: 'too late' });

  opened = new Promise(() => {});
  expect(await readUntil(await connect(), 'never')).toBe('');
});

/** Opens the stream by another handler. */
function serve(handler: (res: express.Response) => void): void {
  const app = express().get('/', (_req, res) => handler(res));
  server.removeAllListeners('request').on('request', app);
  http.get({ port: (server.address() as AddressInfo).port }).on('error', () => {});
}

test('a stream for a client that has left already is over', async () => {
  const late = new Promise<EventStream>((resolve) => {
    serve((res) => {
      res.once('close', () => resolve(openEventStream(res, drain.signal, 20)));
      res.destroy();
    });
  });
  const stream = await late;
  expect(stream.signal.aborted).toBe(true);
  await stream.send({ type: 'user.message', data: 'to nobody' });
});

test('what was to be written when the client left holds nobody up', async () => {
  const left = new Promise<EventStream>((resolve) => {
    serve((res) => {
      res.once('close', () => {
        void stream.send({ type: 'user.message', data: 'cut off' });
        setImmediate(() => resolve(stream));
      });
      const stream = openEventStream(res, drain.signal, 60_000);
      res.destroy();
    });
  });
  const stream = await left;
  await stream.send({ type: 'user.message', data: 'to nobody' });
  expect(stream.signal.aborted).toBe(true);
});
