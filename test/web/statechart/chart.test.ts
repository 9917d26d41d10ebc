import { toDefinition } from '../../../statechart/client/index.ts';
import { activeStates, legalEvents } from '../../../web/statechart/chart/active-states.ts';
import { chartOf } from '../../../web/statechart/chart/chart.ts';
import { pointerOf } from '../../../web/statechart/chart/context-places.ts';
import type { Step } from '../../../web/statechart/chart/step.ts';
import { takenIn, VisitCounts, visitsOf } from '../../../web/statechart/chart/visits.ts';
import { transitionText } from '../../../web/statechart/layout/sizes.ts';
import { fitted, showing, zoomed } from '../../../web/statechart/drawing/view-box.ts';
import { chartMachine } from './machines.ts';

/** What a chart holds, and what steps say of it. */

const chart = chartOf(toDefinition(chartMachine));

test('a definition becomes states and transitions in a person’s words', () => {
  expect(chart.states.get('player.on')).toMatchObject({
    kind: 'parallel',
    depth: 1,
    entry: ['light'],
    exit: ['dim'],
    children: ['player.on.sound', 'player.on.disc', 'player.on.back'],
  });
  expect(chart.states.get('player.on.back')).toMatchObject({ kind: 'history', isDeep: true });
  expect(chart.states.get('player.on.disc')?.initial).toEqual(['player.on.disc.loading']);
  // What XState does for a delay is no action of the state.
  expect(chart.states.get('player.on.disc.spinning')).toMatchObject({ entry: [], exit: [] });
  const texts = chart.transitions.map((each) => `${each.source} ${transitionText(each)}`);
  expect(texts).toEqual([
    'player.off POWER',
    'player.off RESUME',
    'player.on POWER',
    'player.on all done',
    'player.on.sound.loud MUTE [isAllowed]',
    'player.on.sound.mute MUTE',
    'player.on.disc.loading loader done',
    'player.on.disc.loading loader failed',
    'player.on.disc.spinning SKIP / count',
    'player.on.disc.spinning after 1.0 s',
  ]);
});

test('a state value says which states are active, and these which events are legal', () => {
  const active = activeStates(chart, { on: { sound: 'loud', disc: 'spinning' } });
  expect([...active]).toEqual([
    'player',
    'player.on',
    'player.on.sound',
    'player.on.sound.loud',
    'player.on.disc',
    'player.on.disc.spinning',
  ]);
  expect(legalEvents(chart, active)).toEqual(['MUTE', 'POWER', 'SKIP']);
  expect(legalEvents(chart, activeStates(chart, 'broken'))).toEqual([]);
});

const step = (number: number, value: unknown, ...transitions: Step['transitions'][number][]): Step => ({
  number,
  events: { first: number, last: number },
  at: 0,
  cause: { type: 'signal', eventId: number },
  from: '',
  to: '',
  transitions,
  actions: [],
  changed: [],
  started: [],
  stopped: [],
  sent: [],
  emitted: [],
  snapshot: { status: 'active', value, context: {} },
});
const taken = (source: string, event: string, target: string, guard?: string, actor = '') => ({
  actor,
  source,
  event,
  targets: [target],
  ...(guard === undefined ? {} : { guard }),
});

test('steps are found again in the chart, and counted', () => {
  const on = { on: { sound: 'loud', disc: 'loading' } };
  const steps = [
    step(1, 'off'),
    step(2, on, taken('player.off', 'POWER', 'player.on')),
    step(
      3,
      { on: { sound: 'mute', disc: 'loading' } },
      taken('player.on.sound.loud', 'MUTE', 'player.on.sound.mute', 'isAllowed'),
    ),
    step(4, on, taken('player.on.sound.mute', 'MUTE', 'player.on.sound.loud')),
    // Of a machine inside this one, with the same names.
    step(5, on, taken('player.off', 'POWER', 'player.on', undefined, 'inner')),
  ];
  const label = (id: string): string => chart.transitions.find((each) => each.id === id)?.label ?? '';
  expect(steps.map((each) => takenIn(chart, each).map(label))).toEqual([
    [],
    ['POWER'],
    ['MUTE'],
    ['MUTE'],
    [],
  ]);
  const { states, transitions } = visitsOf(chart, steps);
  expect(Object.fromEntries(states)).toMatchObject({
    player: 1,
    'player.off': 1,
    'player.on': 1,
    'player.on.sound.loud': 2,
    'player.on.sound.mute': 1,
  });
  expect([...transitions.values()]).toEqual([1, 1, 1]);
  // The same at any moment of a long run, wherever somebody was before, and of another run after it.
  const long = Array.from({ length: 300 }, () => steps.map((step) => ({ ...step }))).flat();
  const counts = new VisitCounts(chart);
  for (const run of [long, long.map((step) => ({ ...step }))])
    for (const number of [long.length, 3, 250, 251, 749, 750, 0, long.length - 1, 500]) {
      const counted = counts.at(run, number);
      const anew = visitsOf(chart, run.slice(0, number));
      expect([counted.states, counted.transitions]).toEqual([anew.states, anew.transitions]);
    }
});

test('a place in the context is found in its tree', () => {
  expect(pointerOf('order.lines[2].price', { order: { lines: [0, 0, { price: 1 }] } })).toBe(
    '/order/lines/2/price',
  );
  expect(pointerOf('files.a.png', { files: { 'a.png': 1 } })).toBe('/files/a.png');
  expect(pointerOf('a/b', { 'a/b': 1 })).toBe('/a~1b');
  expect(pointerOf('', {})).toBe('');
});

test('the window onto a drawing shows all of it, keeps what is pointed at, and moves to a place', () => {
  const window = { width: 400, height: 300 };
  const view = fitted({ width: 1000, height: 2000 }, window);
  expect(view.y + 2000 * view.scale).toBeLessThanOrEqual(300);
  expect(fitted({ width: 10, height: 10 }, window).scale).toBe(1);
  const at = { x: 100, y: 50 };
  const near = zoomed(view, 2, at);
  const under = (seen: typeof view): number[] => [(at.x - seen.x) / seen.scale, (at.y - seen.y) / seen.scale];
  for (const [index, place] of under(near).entries()) expect(place).toBeCloseTo(under(view)[index] ?? 0);
  const shown = showing(view, { x: 900, y: 1900, width: 50, height: 20 }, window);
  expect([shown.x + 925 * shown.scale, shown.y + 1910 * shown.scale]).toEqual([200, 150]);
  expect(showing(shown, { x: 900, y: 1900, width: 50, height: 20 }, window)).toBe(shown);
});
