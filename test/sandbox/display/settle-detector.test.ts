import { SettleDetector, type SettleTimes } from '../../../sandbox/display/settle-detector.ts';

const SETTLE_TIMES: SettleTimes = { firstMs: 50, quietMs: 40, repeatMs: 250, answerMs: 1000, maxMs: 2000 };
const SCREEN = { width: 1024, height: 768 };
const CARET = { x: 100, y: 100, w: 2, h: 16 };
const START = 1000;

function after(changes: readonly (readonly [area: typeof CARET, at: number])[]): number {
  const detector = new SettleDetector(SETTLE_TIMES, SCREEN, START);
  for (const [area, at] of changes) if (START + at < detector.deadline) detector.changed(area, START + at);
  return detector.deadline - START;
}

const every = (ms: number, area: (at: number) => typeof CARET): [typeof CARET, number][] =>
  Array.from({ length: Math.ceil(3000 / ms) }, (_, index) => [area(index * ms + 5), index * ms + 5]);

test('a screen that does not change is settled after the first wait', () => {
  expect(after([])).toBe(50);
});

test('a change within the first wait is waited out', () => {
  expect(after([[CARET, 5]])).toBe(50);
  expect(after([[CARET, 45]])).toBe(85);
});

test('a caret that blinks costs nothing', () => {
  expect(
    after([
      [CARET, 10],
      [CARET, 540],
      [CARET, 1070],
    ]),
  ).toBe(50);
});

test('a spinner at 60 Hz is not waited for', () => {
  expect(after(every(16, () => ({ x: 500, y: 300, w: 32, h: 32 })))).toBeLessThan(350);
});

test('an animation over the whole screen is waited for half a second', () => {
  expect(after(every(16, () => ({ x: 0, y: 0, w: 1024, h: 768 })))).toBeLessThan(550);
});

test('text that runs on in new places is waited for', () => {
  const writing = every(20, (at) => ({
    x: (at * 0.5) % 1000,
    y: 20 * Math.floor((at * 0.5) / 1000),
    w: 8,
    h: 16,
  }));
  const ends = writing.filter(([, at]) => at < 1000);
  expect(after(ends)).toBe(985 + 40);
});

test('nothing is waited for longer than the limit', () => {
  expect(
    after(every(10, (at) => ({ x: (at * 37) % 1024, y: (at * 53) % 768, w: 700, h: 500 }))),
  ).toBeLessThanOrEqual(2000);
  const spreading = every(20, (at) => ({ x: Math.floor(at / 100) * 33, y: (at % 100) * 7, w: 33, h: 33 }));
  expect(after(spreading)).toBe(2000);
});

test('areas outside of the screen do no harm', () => {
  expect(
    after([
      [{ x: -50, y: -50, w: 10, h: 10 }, 10],
      [{ x: 2000, y: 2000, w: 10, h: 10 }, 20],
    ]),
  ).toBeLessThanOrEqual(60);
});

test('a program that has not dealt with its input is waited for, and its answer on the screen too', () => {
  const detector = new SettleDetector(SETTLE_TIMES, SCREEN, START);
  detector.asked();
  expect(detector.deadline - START).toBe(1000);
  detector.answered(START + 300);
  expect(detector.deadline - START).toBe(340);
  detector.changed(CARET, START + 320);
  expect(detector.deadline - START).toBe(360);
});

test('a program that answers at once, or that was never asked, costs nothing', () => {
  const detector = new SettleDetector(SETTLE_TIMES, SCREEN, START);
  detector.asked();
  detector.answered(START + 3);
  expect(detector.deadline - START).toBe(50);
});
