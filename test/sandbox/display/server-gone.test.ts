import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { connect, type XConnection } from '../../../sandbox/display/connection.ts';
import { openDisplay } from '../../../sandbox/display/display.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { localGuest } from './local-guest.ts';
import { startXvfb, type Xvfb } from './xvfb.ts';

const size = { width: 640, height: 480 };

test('a server that goes away fails the call under way, and the display finds the next one', async () => {
  const first = await startXvfb(size);
  const display = await openDisplay({ socketPath: first.socketPath, size, guest: localGuest(first.env) });
  const capture = display.capture();
  const settling = display.settle({ firstMs: 20_000, maxMs: 20_000 });
  await capture;
  const killed = first.kill('SIGKILL');
  await expect(settling).rejects.toMatchObject({ name: 'DisplayError', code: 'lost' });
  await killed;
  await display.closed;
  await expect(display.capture()).rejects.toMatchObject({ name: 'DisplayError', code: 'unreachable' });
  await expect(display.mouse.position()).rejects.toMatchObject({ code: 'unreachable' });

  const second = await startXvfb(size, first.number);
  await expect(display.capture()).resolves.toBeDefined();
  await display.mouse.move({ x: 5, y: 6 });
  expect(await display.mouse.position()).toEqual({ x: 5, y: 6 });
  display.close();
  await expect(display.capture()).rejects.toMatchObject({ code: 'closed' });
  await second.kill();
});

test('requests that wait for a reply when the server goes away are told', async () => {
  const xvfb = await startXvfb(size);
  const display = await openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) });
  const killed = xvfb.kill('SIGKILL');
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => display.capture()));
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  expect(failures.length).toBeGreaterThan(0);
  for (const failure of failures) expect(failure).toMatchObject({ name: 'DisplayError' });
  await killed;
  display.close();
});

test('no server at all', async () => {
  await expect(
    openDisplay({ socketPath: '/tmp/no-such-socket', size, guest: localGuest() }),
  ).rejects.toMatchObject({ name: 'DisplayError', code: 'unreachable' });
});

describe('while the connection is made', () => {
  let xvfb: Xvfb;
  const folder = temporaryFolder();
  beforeAll(async () => {
    xvfb = await startXvfb(size);
  });
  afterAll(() => xvfb.kill());

  /** Answers the path of a way to the server that ends once that many parts of its answer have passed. */
  async function cutAfter(parts: number, how: 'end' | 'reset'): Promise<{ path: string; close(): void }> {
    const path = join(folder, `${how}-${parts}`);
    const server = createServer((client) => {
      const upstream = createConnection(xvfb.socketPath);
      let passed = 0;
      const cut = (): void => {
        upstream.destroy();
        if (how === 'reset') client.destroy();
        else client.end();
      };
      client.on('error', () => undefined).pipe(upstream.on('error', () => undefined));
      upstream.on('data', (data: Buffer) => {
        if (passed === parts) return cut();
        passed += 1;
        client.write(data);
        if (how === 'reset' && passed === parts) cut();
      });
    }).listen(path);
    await once(server, 'listening');
    return { path, close: () => void server.close() };
  }

  test.each(['end', 'reset'] as const)('a server that goes away at any point is told (%s)', async (how) => {
    const failures: unknown[] = [];
    let connection: XConnection | undefined;
    while (connection === undefined) {
      const way = await cutAfter(failures.length, how);
      connection = await connect(way.path).catch((error: unknown) => void failures.push(error));
      way.close();
    }
    connection.close();
    // The setup, BIG-REQUESTS and the three extensions at least.
    expect(failures.length).toBeGreaterThan(3);
    for (const failure of failures)
      expect(failure).toMatchObject({
        name: 'DisplayError',
        code: 'unreachable',
        // It is told at once, not after the time that an answer may take.
        message: expect.not.stringContaining('no answer') as string,
      });
  });
});
