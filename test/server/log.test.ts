import { Writable } from 'node:stream';
import { readConfig } from '../../app/config/config.ts';
import { createLogger } from '../../server/log.ts';
import { ask, startServer, stopServers } from './harness.ts';

afterEach(stopServers);

const KEY = 'sk-test-0123456789';

test('keys are taken out of whatever is logged', () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const log = createLogger('info', sink);
  const config = readConfig({ API_KEY: KEY, ANTHROPIC_API_KEY: KEY }, []);
  const headers = { authorization: `Bearer ${KEY}`, 'x-api-key': KEY, accept: '*/*' };
  log.info(
    { config, headers, req: { headers }, err: Object.assign(new Error('refused'), { headers }) },
    'started',
  );
  log.info(config);
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain(KEY);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    msg: 'started',
    config: { port: 8080, apiKey: '[hidden]' },
    headers: { accept: '*/*', authorization: '[hidden]' },
  });
});

test('a request is one line: its path in full, without the query', async () => {
  const { url, logged } = await startServer();
  const { headers } = await ask(`${url}/health?secret=1`);
  await (await fetch(`${url}/static/icon.svg?v=2`)).text();
  // A file's line is written when its connection is free again, which a client does not hear of.
  while (logged.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(logged).toMatchObject([
    {
      level: 'debug',
      msg: 'request',
      method: 'GET',
      path: '/health',
      status: 200,
      request_id: headers.get('request-id'),
    },
    { path: '/static/icon.svg', status: 200, ms: expect.any(Number) as unknown },
  ]);
});

test('a level that is not asked for is not written', async () => {
  const lines: unknown[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(chunk)) });
  const { url } = await startServer({ log: createLogger('warn', sink) });
  await ask(`${url}/health`);
  expect(lines).toEqual([]);
});
