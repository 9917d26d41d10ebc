import { openDisplay } from '../../../sandbox/display/display.ts';
import { localGuest } from './local-guest.ts';
import { startXvfb } from './xvfb.ts';

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
