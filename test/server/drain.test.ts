import net from 'node:net';
import type { ModelProvider } from '../../messages/providers/provider.ts';
import { startServer, stopServers } from './harness.ts';
import { posted } from '../support/posted.ts';

afterEach(stopServers);

/** A provider whose reply comes when the test says so. */
function heldProvider(): { provider: ModelProvider; asked: Promise<AbortSignal>; release: () => void } {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let ask = (_signal: AbortSignal): void => {};
  const asked = new Promise<AbortSignal>((resolve) => (ask = resolve));
  const provider: ModelProvider = {
    name: 'held',
    reply: async (_request, { signal }) => {
      ask(signal);
      await held;
      throw new Error('released');
    },
    stream: () => {
      throw new Error('not asked for');
    },
  };
  return { provider, asked, release };
}

const REQUEST = posted(
  { model: 'held', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] },
  { 'anthropic-version': '2023-06-01' },
);

test('an answer under way is finished before the server ends, and new connections are refused', async () => {
  const { provider, asked, release } = heldProvider();
  const { url, server } = await startServer({ providers: { providerFor: () => provider } });
  const answer = fetch(`${url}/v1/messages`, REQUEST);
  await asked;

  let closed = false;
  const closing = server.close(10_000).then(() => (closed = true));
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  expect(closed).toBe(false);

  release();
  expect((await answer).status).toBe(500);
  await closing;
});

test('after the bound an answer that never comes is cut, and its work is told to stop', async () => {
  const { provider, asked } = heldProvider();
  const { url, server } = await startServer({ providers: { providerFor: () => provider } });
  const answer = fetch(`${url}/v1/messages`, REQUEST).then(
    () => 'answered',
    () => 'cut',
  );
  const signal = await asked;
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await server.close(50);
  expect(await answer).toBe('cut');
  await stopped;
});

test('idle connections do not hold the server back, and closing twice is once', async () => {
  const { port, server, url } = await startServer();
  const idle = net.connect(port, '127.0.0.1');
  await new Promise((resolve) => idle.once('connect', resolve));
  // The server takes connections in their order: with a later one's answer it has taken this one.
  await (await fetch(`${url}/health`)).text();
  const ended = new Promise<boolean>((resolve) => idle.once('close', () => resolve(true)));
  idle.resume();
  await Promise.all([server.close(60_000), server.close(60_000)]);
  expect(await ended).toBe(true);
});

test('a client that goes away aborts the work on its answer', async () => {
  const { provider, asked, release } = heldProvider();
  const { url } = await startServer({ providers: { providerFor: () => provider } });
  const gone = new AbortController();
  const answer = fetch(`${url}/v1/messages`, { ...REQUEST, signal: gone.signal });
  const signal = await asked;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  gone.abort();
  await expect(answer).rejects.toThrow('abort');
  await aborted;
  release();
});

test('a taken port is an error of listen, not a crash', async () => {
  const { port } = await startServer();
  await expect(startServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
