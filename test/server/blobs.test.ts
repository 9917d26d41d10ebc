import http from 'node:http';
import { append, createSessions, toolResult } from '../../sessions/index.ts';
import { ask, type Running, startServer, stopServers } from './harness.ts';

afterEach(stopServers);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A session whose log holds one picture. */
async function withPicture(running: Running): Promise<string> {
  const sessions = createSessions({ store: running.store });
  const agent = await sessions.agents.create({ name: 'Demo', model: 'script' });
  const { id } = await sessions.create({ agent: agent.id });
  const source = { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') } as const;
  const events = [toolResult('sevt_use', { content: [{ type: 'image', source }], is_error: false })];
  await append(running.store, { session: id, key: 'step', events });
  return id;
}

test('pictures go out in base64 as the API has them, and as links for pages that ask', async () => {
  const running = await startServer();
  const id = await withPicture(running);
  const path = `${running.url}/v1/sessions/${id}/events`;
  const image = (source: object): object => ({ data: [{ content: [{ type: 'image', source }] }] });
  expect((await ask(path)).body).toMatchObject(image({ type: 'base64', data: PNG.toString('base64') }));
  expect((await ask(`${path}?sources=base64`)).body).toEqual((await ask(path)).body);
  const { body } = await ask(`${path}?sources=url&types[]=agent.tool_result`);
  const url = /"url":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
  expect(body).toMatchObject(image({ type: 'url', url }));
  expect((await ask(`${path}?sources=ftp`)).body).toMatchObject({
    error: { message: "sources: Input should be 'base64' or 'url'" },
  });

  const response = await fetch(`${running.url}${url}`);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('content-disposition')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
});

test('what a browser could run is a download, whatever its address claims', async () => {
  const running = await startServer();
  const hash = await running.store.blobs.put(Buffer.from('<script>alert(1)</script>'));
  for (const claimed of ['text/html', 'image/svg+xml', '']) {
    const { headers } = await fetch(
      `${running.url}/v1/blobs/${hash}?media_type=${encodeURIComponent(claimed)}`,
    );
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('a blob that the client has is not sent again, and HEAD sends none', async () => {
  const running = await startServer();
  const hash = await running.store.blobs.put(PNG);
  const ask = (method: string, headers: Record<string, string>): Promise<[number | undefined, number]> =>
    new Promise((resolve) => {
      http
        .request(`${running.url}/v1/blobs/${hash}`, { method, headers }, (response) => {
          let length = 0;
          response.on('data', (chunk: Buffer) => (length += chunk.length));
          response.once('end', () => resolve([response.statusCode, length]));
        })
        .end();
    });
  expect(await ask('GET', {})).toEqual([200, PNG.length]);
  expect(await ask('GET', { 'if-none-match': `"${hash}"` })).toEqual([304, 0]);
  expect(await ask('HEAD', {})).toEqual([200, 0]);
});

test.each(['0'.repeat(64), 'nothing', '..%2F..%2Fpackage.json'])('%s is no blob', async (hash) => {
  const { url } = await startServer();
  expect((await ask(`${url}/v1/blobs/${hash}`)).status).toBe(404);
});
