import type { EventGroup } from '../../web/workflows/history/groups.ts';
import { barAt, layLanes } from '../../web/workflows/timeline/lanes.ts';
import { panned, showing, ticksOf, wholeOf, zoomed } from '../../web/workflows/timeline/view.ts';

/** The layout of the timeline. */

function group(id: number, start: number, end: number | undefined, label = 'a'): EventGroup {
  return {
    id,
    kind: 'activity',
    label,
    detail: undefined,
    events: [],
    start,
    taken: undefined,
    end,
    state: end === undefined ? 'open' : 'completed',
    attempts: 1,
  };
}

const OPTIONS = { origin: 0, scale: 1, now: 200, labelWidth: () => 0 };
const lanesOf = (groups: readonly EventGroup[], options = OPTIONS): unknown[] =>
  layLanes(groups, options).bars.map((bar) => [bar.group.id, bar.lane]);

test('bars that overlap are in different lanes, and a lane that is free is used again', () => {
  expect(lanesOf([group(1, 0, 100), group(2, 10, 50), group(3, 60, 90), group(4, 104, 120)])).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 0],
  ]);
});

test('what goes on reaches to now, and what took no time can be seen', () => {
  const { bars } = layLanes([group(1, 0, undefined), group(2, 50, 50)], OPTIONS);
  expect(bars.map(({ x, width }) => [x, width])).toEqual([
    [0, 200],
    [50, 3],
  ]);
});

test('a name beside a short bar keeps the next bar away, until there are too many', () => {
  const wide = { ...OPTIONS, labelWidth: () => 60 };
  expect(lanesOf([group(1, 0, 10), group(2, 20, 30)], wide)).toEqual([
    [1, 0],
    [2, 1],
  ]);
  expect(lanesOf([group(1, 0, 100), group(2, 110, 200)], wide)).toEqual([
    [1, 0],
    [2, 0],
  ]);
  const many = Array.from({ length: 50 }, (_, index) => group(index + 1, index * 10, index * 10 + 2));
  expect(layLanes(many, { ...OPTIONS, labelWidth: () => 1000 })).toMatchObject({ labelled: false, lanes: 1 });
});

test('sixteen thousand bars are laid out', () => {
  const many = Array.from({ length: 16_000 }, (_, index) => group(index + 1, index * 10, index * 10 + 300));
  const { lanes } = layLanes(many, { ...OPTIONS, scale: 0.01, labelWidth: () => 50 });
  expect(lanes).toBeGreaterThan(20);
});

test('the bar at a place, or near it', () => {
  const layout = layLanes([group(1, 0, 10), group(2, 30, 40)], OPTIONS);
  expect(barAt(layout, 5, 0, 6)?.group.id).toBe(1);
  expect(barAt(layout, 26, 0, 6)?.group.id).toBe(2);
  expect(barAt(layout, 20, 0, 6)).toBeUndefined();
  expect(barAt(layout, 5, 1, 6)).toBeUndefined();
});

test('zoom keeps the moment under the pointer, and ends where there is nothing', () => {
  const whole = { from: 0, to: 1000 };
  expect(zoomed(whole, 0.5, 250, whole)).toEqual({ from: 125, to: 625 });
  expect(zoomed(whole, 100, 500, whole)).toEqual({ from: -125, to: 1125 });
  const near = zoomed(whole, 0.000_001, 500, whole);
  expect(near.to - near.from).toBeCloseTo(5);
});

test('the view moves, but not away', () => {
  const whole = { from: 0, to: 1000 };
  expect(panned({ from: 100, to: 200 }, 0.5, whole)).toEqual({ from: 150, to: 250 });
  expect(panned({ from: 100, to: 200 }, -100, whole)).toEqual({ from: -250, to: -150 });
  expect(panned({ from: 100, to: 200 }, 100, whole)).toEqual({ from: 1150, to: 1250 });
  expect(showing({ from: 0, to: 100 }, 20, 30, whole)).toEqual({ from: 0, to: 100 });
  expect(showing({ from: 0, to: 100 }, 500, 510, whole)).toEqual({ from: 480, to: 580 });
});

test('ticks are round moments after the beginning', () => {
  expect(ticksOf({ from: 990, to: 4010 }, 1000, 5).map(({ offset }) => offset)).toEqual([
    0, 1000, 2000, 3000,
  ]);
  const day = 86_400_000;
  expect(ticksOf(wholeOf(0, 30 * day), 0, 10).length).toBeLessThanOrEqual(11);
  expect(ticksOf({ from: 0, to: 5000 * day }, 0, 10).length).toBeLessThanOrEqual(11);
});
