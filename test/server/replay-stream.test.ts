import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type EventStream, openEventStream } from '../../server/http/event-stream.ts';
import { append, toolResult } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import { ask, startServer, stopServers } from './harness.ts';
import { appendTo } from '../sessions/append-to.ts';

/** Replays over HTTP: readers that do not read, pictures in the middle of an event, where a stream is taken up again. */

afterEach(stopServers);

async function newSession(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const make = async (path: string, body: object): Promise<string> =>
    String((await ask(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).body['id']);
  const agent = await make('/v1/agents', { name: 'a', model: 'script' });
  return make('/v1/sessions', { agent });
}

const says = (text: string) =>
  ({ type: 'agent.message', body: { content: [{ type: 'text', text }] } }) as const;

async function addTexts(store: Store, session: string, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, (_, n) => says(`event ${n}`));
  return (await append(store, { session, key: 'k', events })).events.map(({ id }) => id);
}

/** The ids that a stream gives until the one that is waited for. */
async function idsUntil(url: string, after: string, last: string): Promise<string[]> {
  const leave = new AbortController();
  const headers = { 'anthropic-version': '2023-06-01', 'last-event-id': after };
  const response = await fetch(url, { headers, signal: leave.signal });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes(`id: ${last}\n`) && text.endsWith('\n\n')) break;
  }
  leave.abort();
  return [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '');
}

test('every place of a long log can be gone on from', async () => {
  const { url, store } = await startServer();
  const session = await newSession(url);
  const ids = await addTexts(store, session, 350);
  const last = ids.at(-1) ?? '';
  const stream = `${url}/v1/sessions/${session}/events/stream`;
  const places = [0, 1, 98, 99, 100, 101, 250, 348];
  const all = await Promise.all(places.map((place) => idsUntil(stream, ids[place] ?? '', last)));
  expect(all).toEqual(places.map((place) => ids.slice(place + 1)));
});

test('a picture is whole for all who read it at once, and its event is not broken by a ping', async () => {
  const { url, store } = await startServer();
  const session = await newSession(url);
  const data = Buffer.from(Array.from({ length: 1_000_000 }, (_, n) => n % 251)).toString('base64');
  const source = { type: 'base64' as const, media_type: 'image/png', data };
  const content = [{ type: 'image' as const, source }];
  const [first] = await addTexts(store, session, 1);
  const { events } = await appendTo(store, session, 'picture', [
    toolResult('sevt_use', { content, is_error: false }),
    says('after it'),
  ]);
  const headers = { 'anthropic-version': '2023-06-01', 'last-event-id': first ?? '' };
  const read = async (): Promise<unknown[]> => {
    const leave = new AbortController();
    const response = await fetch(`${url}/v1/sessions/${session}/events/stream`, {
      headers,
      signal: leave.signal,
    });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('latin1');
      if (text.includes('after it') && text.endsWith('\n\n')) break;
    }
    leave.abort();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as unknown);
  };
  for (const seen of await Promise.all(Array.from({ length: 8 }, read)))
    expect(seen).toMatchObject([{ id: events[0]?.id, content }, { id: events[1]?.id }]);
});

describe('a client that takes nothing', () => {
  let server: http.Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('has no piece made for it, and no ping put between two of one event', async () => {
    const app = express();
    const opened = new Promise<EventStream>((resolve) => {
      app.get('/', (_req, res) => resolve(openEventStream(res, undefined, 5)));
    });
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const response = await new Promise<http.IncomingMessage>((resolve) => {
      http.get({ port: (server.address() as AddressInfo).port }, resolve);
    });
    const stream = await opened;
    const PIECES = 64;
    let made = 0;
    let isStalled = (): void => {};
    const stalled = new Promise<void>((resolve) => {
      isStalled = resolve;
    });
    async function* pieces(): AsyncGenerator<string, void, undefined> {
      yield 'event: large\ndata: "';
      for (; made < PIECES; made += 1) yield 'x'.repeat(1 << 20);
      yield '"\n\n';
    }
    const sending = stream.sendPieces(pieces()).then(() => stream.end());
    // Nothing is made for as many turns of the loop as it took to fill the buffers on the way.
    const watch = async (): Promise<void> => {
      for (let seen = -1, still = 0; still < 200;) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        still = seen === made ? still + 1 : 0;
        seen = made;
      }
      isStalled();
    };
    await Promise.all([watch(), stalled]);
    expect(made).toBeLessThan(PIECES / 2);
    let length = 0;
    let within = '';
    for await (const chunk of response) {
      const text = String(chunk).replaceAll('x', '');
      length += (chunk as Buffer).length;
      within += text;
    }
    await sending;
    expect(length).toBeGreaterThan(PIECES << 20);
    expect(within.slice(within.indexOf('event: large'))).toBe('event: large\ndata: ""\n\n');
  });
});
