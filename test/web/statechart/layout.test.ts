import ELK from 'elkjs/lib/elk.bundled.js';
import { toDefinition } from '../../../statechart/client/index.ts';
import { sessionMachine } from '../../../workflows/session/machine.ts';
import { chartOf } from '../../../web/statechart/chart/chart.ts';
import { type PlacedChart, placeChart, type Rectangle } from '../../../web/statechart/layout/place.ts';
import { approvalMachine } from '../../../examples/approval/machine.ts';
import { chartMachine, largeMachine } from './machines.ts';

/** Charts as ELK lays them out: nothing lies over anything else. */

const measure = (text: string, as: 'name' | 'line'): number => text.length * (as === 'name' ? 7.5 : 6.4);
const elk = new ELK.default();
const place = async (
  machine: Parameters<typeof toDefinition>[0],
  folded: readonly string[] = [],
): Promise<PlacedChart> => await placeChart(elk, chartOf(toDefinition(machine)), new Set(folded), measure);

const MACHINES = { approval: approvalMachine, chart: chartMachine, session: sessionMachine };

test.each(Object.entries(MACHINES))('%s: labels and states lie over nothing else', async (_, machine) => {
  const { states, edges } = await place(machine);
  const leaves = [...states].filter(
    ([id]) => ![...states.keys()].some((other) => other.startsWith(`${id}.`)),
  );
  const boxes = [
    ...leaves.map(([id, box]) => [id, box] as const),
    ...edges.map(({ id, label }) => [id, label] as const),
  ];
  const over: string[] = [];
  for (const [index, [id, box]] of boxes.entries())
    for (const [other, second] of boxes.slice(index + 1))
      if (overlap(box, second)) over.push(`${id} ${other}`);
  expect(over).toEqual([]);
  expect(edges.every(({ line }) => line.length >= 2)).toBe(true);
});

test('an inner state lies inside its outer one, and a line begins and ends at its states', async () => {
  const { states, edges, width, height } = await place(chartMachine);
  const box = (id: string): Rectangle => states.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
  expect(inside(box('player.on.sound.loud'), box('player.on.sound'))).toBe(true);
  expect(inside(box('player.on.sound'), box('player.on'))).toBe(true);
  // From where a machine begins downwards.
  expect(box('player.on.sound.loud').y).toBeLessThan(box('player.on.sound.mute').y);
  expect(box('player.off').y).toBeLessThan(box('player.on').y);
  expect(inside(box('player'), { x: 0, y: 0, width, height })).toBe(true);
  for (const { source, target, line } of edges) {
    expect(touches(line[0], box(source))).toBe(true);
    expect(touches(line.at(-1), box(target))).toBe(true);
  }
});

test('a folded state stands for those inside it', async () => {
  const { states, edges } = await place(chartMachine, ['player.on']);
  expect([...states.keys()]).toEqual(['player', 'player.off', 'player.on', 'player.broken']);
  expect(edges.map(({ id, transitions }) => [id, transitions.map(({ label }) => label)])).toEqual([
    ['player.off→player.on', ['POWER', 'RESUME']],
    ['player.on→player.off', ['POWER', 'all done']],
    ['player.on→player.broken', ['loader failed']],
  ]);
});

test('300 states are laid out', async () => {
  const { states } = await place(largeMachine(300));
  expect(states.size).toBeGreaterThanOrEqual(300);
}, 60_000);

function overlap(a: Rectangle, b: Rectangle): boolean {
  const slack = 0.5;
  return (
    a.x < b.x + b.width - slack &&
    b.x < a.x + a.width - slack &&
    a.y < b.y + b.height - slack &&
    b.y < a.y + a.height - slack
  );
}

const inside = (a: Rectangle, b: Rectangle): boolean =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;

function touches(point: { readonly x: number; readonly y: number } | undefined, box: Rectangle): boolean {
  if (point === undefined) return false;
  const slack = 1;
  const within =
    point.x >= box.x - slack &&
    point.x <= box.x + box.width + slack &&
    point.y >= box.y - slack &&
    point.y <= box.y + box.height + slack;
  const near = [box.x, box.x + box.width].some((x) => Math.abs(point.x - x) <= slack);
  return within && (near || [box.y, box.y + box.height].some((y) => Math.abs(point.y - y) <= slack));
}
