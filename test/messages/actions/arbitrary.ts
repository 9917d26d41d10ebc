import { fc } from '../../support/fast-check.ts';
import type { ComputerAction, Point, Region } from '../../../messages/actions/action.ts';
import { COMPUTER_FORMS } from '../../../messages/actions/computer-forms.ts';
import type { ComputerGeneration } from '../../../messages/tools/generations.ts';

/** Everything that can be done to a computer, at random. */

export const GENERATIONS = Object.keys(COMPUTER_FORMS) as ComputerGeneration[];

/** Every ordered pair of generations, each with itself too. */
export const PAIRS = GENERATIONS.flatMap((from) => GENERATIONS.map((to) => [from, to] as const));

const pixel = fc.nat({ max: 4000 });
const point: fc.Arbitrary<Point> = fc.tuple(pixel, pixel);
const region: fc.Arbitrary<Region> = fc.tuple(pixel, pixel, pixel, pixel);
const modifiers = fc.constantFrom('ctrl', 'shift', 'alt', 'ctrl+shift', 'ctrl+alt', 'super');
const key = fc.constantFrom(
  'Return',
  'Tab',
  'Page_Down',
  'Up',
  'F5',
  'a',
  'A',
  '7',
  'plus',
  'KP_0',
  'XF86Back',
  'é',
);
const chord = fc.oneof(
  key,
  fc.tuple(modifiers, key).map(([held, last]) => `${held}+${last}`),
);
/** Whole and half seconds: their sums are exact. */
const seconds = (most: number): fc.Arbitrary<number> => fc.nat({ max: most * 2 }).map((halves) => halves / 2);

function optional<K extends string, T>(
  name: K,
  arbitrary: fc.Arbitrary<T>,
): fc.Arbitrary<Partial<Record<K, T>>> {
  return fc
    .option(arbitrary)
    .map((value) => (value === null ? {} : { [name]: value }) as Partial<Record<K, T>>);
}

const click = fc
  .tuple(
    fc.constantFrom(
      { button: 'left', count: 1 } as const,
      { button: 'left', count: 2 } as const,
      { button: 'left', count: 3 } as const,
      { button: 'right', count: 1 } as const,
      { button: 'middle', count: 1 } as const,
    ),
    optional('at', point),
    optional('modifiers', modifiers),
  )
  .map(([kind, at, held]): ComputerAction => ({ type: 'click', ...kind, ...at, ...held }));

const drag = fc
  .tuple(optional('from', point), point, optional('modifiers', modifiers))
  .map(([from, to, held]): ComputerAction => ({ type: 'drag', ...from, to, ...held }));

const scroll = fc
  .tuple(
    fc.constantFrom('up', 'down', 'left', 'right'),
    fc.nat({ max: 50 }),
    optional('at', point),
    optional('modifiers', modifiers),
  )
  .map(([direction, amount, at, held]): ComputerAction => ({
    type: 'scroll',
    direction,
    amount,
    ...at,
    ...held,
  }));

export const action: fc.Arbitrary<ComputerAction> = fc.oneof(
  fc.oneof(
    fc.array(chord, { minLength: 1, maxLength: 4 }).map((keys): ComputerAction => ({ type: 'key', keys })),
    fc.tuple(chord, fc.integer({ min: 1, max: 150 })).map(([one, times]): ComputerAction => ({
      type: 'key',
      keys: Array.from({ length: times }, () => one),
    })),
  ),
  fc
    .tuple(fc.array(chord, { minLength: 1, maxLength: 2 }), seconds(310))
    .map(([keys, lasting]): ComputerAction => ({ type: 'hold_key', keys, seconds: lasting })),
  fc.string({ unit: 'binary' }).map((text): ComputerAction => ({ type: 'type', text })),
  fc.constantFrom<ComputerAction>(
    { type: 'cursor_position' },
    { type: 'screenshot' },
    { type: 'mouse_down' },
    { type: 'mouse_up' },
  ),
  point.map((to): ComputerAction => ({ type: 'mouse_move', to })),
  click,
  drag,
  scroll,
  seconds(290).map((lasting): ComputerAction => ({ type: 'wait', seconds: lasting })),
  region.map((corners): ComputerAction => ({ type: 'zoom', region: corners })),
);
