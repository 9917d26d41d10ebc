import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until, WorkflowBench } from './bench.ts';

/** A codec endpoint by Temporal's protocol: a real HTTP server that turns bytes around. */

interface Wire {
  metadata: Record<string, string>;
  data: string;
}

const turned = (base64: string): string => Buffer.from(base64, 'base64').reverse().toString('base64');
const TURNED = Buffer.from('binary/turned').toString('base64');

interface SignaledEvent {
  readonly workflowExecutionSignaledEventAttributes?: {
    readonly input: { readonly payloads: readonly { readonly decoded: unknown }[] };
  };
}

let bench: WorkflowBench;
let codec: Server;
let asked: { url: string | undefined; authorization: string | undefined; count: number }[] = [];
let broken = false;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { payloads } = JSON.parse(Buffer.concat(chunks).toString()) as { payloads: Wire[] };
  asked.push({ url: request.url, authorization: request.headers.authorization, count: payloads.length });
  if (broken) {
    response.writeHead(500).end('no');
    return;
  }
  const isEncoding = request.url === '/codec/encode';
  const turnedAround = payloads.map(({ metadata, data }) => ({
    metadata: isEncoding
      ? { encoding: TURNED, inner: metadata['encoding'] }
      : { encoding: metadata['inner'] },
    data: turned(data),
  }));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ payloads: turnedAround }));
}

beforeAll(async () => {
  codec = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => codec.listen(0, '127.0.0.1', resolve));
  const { port } = codec.address() as AddressInfo;
  bench = await WorkflowBench.start();
  await bench.serve({
    codec: { endpoint: `http://127.0.0.1:${port}/codec`, authorization: 'Bearer of-the-codec' },
  });
}, 180_000);

afterAll(async () => {
  await bench.stopWorker();
  await bench.stop();
  await new Promise((resolve) => codec.close(resolve));
}, 60_000);

beforeEach(() => {
  asked = [];
  broken = false;
});

/** What the payloads of the signal hold; a signal that comes during a task stands in the history after it. */
const decodedIn = async (id: string): Promise<readonly unknown[]> =>
  await until('the signal', async () => {
    asked = [];
    const { body } = await bench.of<{ data: SignaledEvent[] }>(id, 'GET /history');
    const found = body.data.flatMap(
      ({ workflowExecutionSignaledEventAttributes: signaled }) => signaled?.input.payloads ?? [],
    );
    return found.length > 0 && found.map(({ decoded }) => decoded);
  });

test('what is sent is encoded, and what is read decoded, all of a page at once', async () => {
  const { workflowId: id } = await bench.begin('order', ['coded']);
  await bench.of(id, 'POST /signal', {}, { name: 'unheard', args: [{ secret: 1 }, 'two'] });
  expect(asked).toEqual([{ url: '/codec/encode', authorization: 'Bearer of-the-codec', count: 2 }]);
  expect(await decodedIn(id)).toMatchObject([
    { kind: 'json', value: { secret: 1 }, codec: true, error: null },
    { kind: 'json', value: 'two', codec: true },
  ]);
  expect(asked).toEqual([{ url: '/codec/decode', authorization: 'Bearer of-the-codec', count: 2 }]);
  await bench.of(id, 'POST /terminate');
});

test('an endpoint that fails costs those payloads alone', async () => {
  const { workflowId: id } = await bench.begin('order', ['plain']);
  await bench.of(id, 'POST /signal', {}, { name: 'unheard', args: [1] });
  broken = true;
  expect(await decodedIn(id)).toMatchObject([
    {
      kind: 'unknown',
      codec: false,
      error: expect.stringContaining('codec endpoint, decode: it answered 500') as unknown,
    },
  ]);
  const { status, body } = await bench.of(id, 'POST /signal', {}, { name: 'unheard', args: [1] });
  expect([status, JSON.stringify(body)]).toEqual([500, expect.stringContaining('codec endpoint, encode')]);
  await bench.of(id, 'POST /terminate');
});
