import { openDisplay, type Display } from '../../../sandbox/display/display.ts';
import { openClickTarget, type ClickTarget } from './click-target.ts';
import { localGuest } from './local-guest.ts';
import { startXvfb, type Xvfb } from './xvfb.ts';

const size = { width: 800, height: 600 };

/** A loaded machine adds to every time: what is bounded here is bounded by far less than this. */
const FOR_EVER_MS = 60_000;

describe('settling on a real screen', () => {
  let xvfb: Xvfb;
  let display: Display;
  let target: ClickTarget;
  let timer: NodeJS.Timeout | undefined;
  beforeEach(async () => {
    xvfb = await startXvfb(size);
    display = await openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) });
    target = await openClickTarget(xvfb.socketPath);
    await display.settle();
  });
  afterEach(async () => {
    clearInterval(timer);
    target.close();
    display.close();
    await xvfb.kill();
  });

  const repaint = (everyMs: number, edge: number): void => {
    let color = 0;
    timer = setInterval(() => target.fill((color += 0x10101), 10, 10, edge, edge), everyMs);
  };

  test('a still screen is settled after the first wait', async () => {
    const { by, ms } = await display.settle({ maxMs: FOR_EVER_MS });
    expect(by).toBe('quiet');
    expect(ms).toBeGreaterThanOrEqual(49);
  });

  test('changes are waited out', async () => {
    let x = 0;
    timer = setInterval(() => {
      if (x < 400) target.fill(0xffffff, (x += 20), 300, 20, 20);
    }, 15);
    // Quiet for longer than this process may be kept from the next change.
    const { by, ms } = await display.settle({ firstMs: 1000, quietMs: 1000, maxMs: FOR_EVER_MS });
    expect(by).toBe('quiet');
    expect(x).toBe(400);
    expect(ms).toBeGreaterThan(1200);
  });

  test('a small thing that never stops is not waited for until the limit', async () => {
    repaint(16, 24);
    expect((await display.settle({ maxMs: FOR_EVER_MS })).by).toBe('quiet');
  });

  test('a large thing that never stops neither', async () => {
    repaint(16, 500);
    expect((await display.settle({ maxMs: FOR_EVER_MS })).by).toBe('quiet');
  });

  test('a program that is still busy with its input is waited for', async () => {
    let done = false;
    const other = await openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) });
    await target.answerPings(async () => {
      // Whoever does not ask the program finds the screen settled twice before it answers.
      for (const _time of [1, 2]) expect((await other.settle({ answerMs: 0 })).by).toBe('quiet');
      done = true;
      target.fill(0xffffff, 0, 0, 50, 50);
    });
    const { by } = await display.settle({ answerMs: FOR_EVER_MS, maxMs: FOR_EVER_MS });
    other.close();
    expect(done).toBe(true);
    expect(by).toBe('quiet');
  });

  test('a program that never answers is waited for a second', async () => {
    await target.answerPings(() => new Promise(() => undefined));
    const { by, ms } = await display.settle({ maxMs: FOR_EVER_MS });
    expect(by).toBe('quiet');
    expect(ms).toBeGreaterThanOrEqual(999);
  });

  test('an interrupt ends the wait', async () => {
    const controller = new AbortController();
    await target.answerPings(async () => controller.abort());
    const { by } = await display.settle({ firstMs: 10_000, maxMs: 10_000 }, controller.signal);
    expect(by).toBe('aborted');
  });
});
