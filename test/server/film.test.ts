import { Readable } from 'node:stream';
import { readWebm } from '../../sandbox/film/webm-reader.ts';
import { append } from '../../sessions/index.ts';
import { seedDemo, seedSession } from '../web/seed.ts';
import { startServer, stopServers } from './harness.ts';

/** The film of a session over HTTP. How films are made is tested in test/sandbox/film, that they play in test/web. */

afterEach(stopServers);

async function framesOf(answer: Response): Promise<readonly number[]> {
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('video/webm');
  return readWebm(Buffer.from(await answer.arrayBuffer())).frames.map(({ atMs }) => atMs);
}

test('without a recording it is the screenshots of the log', async () => {
  const { url, store } = await startServer();
  const { id } = await seedDemo(store);
  const frames = await framesOf(await fetch(`${url}/v1/sessions/${id}/film`));
  expect(frames).toHaveLength(3);
  expect(frames[0]).toBe(0);
});

test('with a recording it is its segments', async () => {
  const { url: other, store: otherStore } = await startServer();
  const film = await fetch(`${other}/v1/sessions/${(await seedDemo(otherStore)).id}/film?pauses=cut`);
  const segment = Buffer.from(await film.arrayBuffer());
  const started = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:10:00.000Z'];
  const { url, store } = await startServer({
    screenRecording: {
      read: async () =>
        await Promise.resolve({
          status: 'stopped',
          error: null,
          limit_bytes: 1,
          segments: started.map((started_at, index) => ({
            number: index + 1,
            started_at,
            size_bytes: segment.length,
            active: false,
          })),
        }),
      switch: () => Promise.reject(new Error('nobody switches')),
      segment: async () =>
        await Promise.resolve({ sizeBytes: segment.length, body: Readable.from([segment]) }),
    },
  });
  const { id } = await seedDemo(store);
  await append(store, { session: id, key: 'sandbox', events: [], sandboxId: 'sbx_1' });
  const kept = await framesOf(await fetch(`${url}/v1/sessions/${id}/film`));
  expect(kept).toHaveLength(6);
  expect(kept[3]).toBe(600_000);
  const cut = await framesOf(await fetch(`${url}/v1/sessions/${id}/film?pauses=cut`));
  expect((cut[3] ?? 0) - (cut[2] ?? 0)).toBe(3000);
});

test('a session without a picture has none, and a wrong choice is named', async () => {
  const { url, store } = await startServer();
  const { id } = await seedSession(store, 'Nothing yet');
  const none = await fetch(`${url}/v1/sessions/${id}/film`);
  expect([none.status, await none.text()]).toEqual([
    404,
    expect.stringContaining('has no picture of its screen'),
  ]);
  const wrong = await fetch(`${url}/v1/sessions/${id}/film?pauses=some`);
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('pauses')]);
  expect((await fetch(`${url}/v1/sessions/sesn_none/film`)).status).toBe(404);
  const untold = await fetch(`${url}/v1/sessions/${id}/replay_test`);
  expect([untold.status, await untold.text()]).toEqual([409, expect.stringContaining('has not replied yet')]);
});
