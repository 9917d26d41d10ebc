import type { DisplaySize } from '@steadyhand/contracts';

/** Screens from the smallest usual one to 4K, of every usual ratio, and of odd sizes. */
export const SCREENS = [
  '640x480',
  '641x479',
  '800x600',
  '1001x777',
  '1024x768',
  '1280x720',
  '1280x800',
  '1280x1024',
  '1365x767',
  '1366x768',
  '1440x900',
  '1512x982',
  '1600x1200',
  '1680x1050',
  '1920x1080',
  '1920x1200',
  '2560x1440',
  '2560x1600',
  '3440x1440',
  '3840x2160',
];

export function sizeOf(text: string): DisplaySize {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
}

/** The sizes that a model is told of a screen: its own, half of it, and one that divides nothing evenly. */
export function toldSizes({ width, height }: DisplaySize): DisplaySize[] {
  return [
    { width, height },
    { width: Math.round(width / 2), height: Math.round(height / 2) },
    { width: Math.round((width * 7) / 9), height: Math.round((height * 7) / 9) },
  ];
}

/** Corners, edges, the middle, and places in between. */
export function placesOn({ width, height }: DisplaySize): [number, number][] {
  const right = width - 1;
  const bottom = height - 1;
  return [
    [0, 0],
    [right, 0],
    [0, bottom],
    [right, bottom],
    [Math.floor(width / 2), 0],
    [right, Math.floor(height / 2)],
    [1, bottom],
    [Math.floor(width / 2), Math.floor(height / 2)],
    [Math.floor(width / 3), Math.floor((height * 5) / 7)],
    [right - 1, bottom - 1],
  ];
}

const LEFT = 1;
const BUTTONS = { up: 4, down: 5, left: 6, right: 7 } as const;

interface Case {
  readonly input: Readonly<Record<string, unknown>>;
  /** Buttons that go down, in order, and where in the model's coordinates. */
  readonly pressed: readonly { readonly button: number; readonly at: readonly [number, number] }[];
  readonly released?: readonly [number, number];
  /** Whether Control is down meanwhile. */
  readonly ctrl?: boolean;
}

/** Every kind of pointer action at a place. */
export function casesAt(at: readonly [number, number], other: readonly [number, number], n: number): Case[] {
  const times = (button: number, count: number): Case['pressed'] =>
    Array.from({ length: count }, () => ({ button, at }));
  const direction = (['up', 'down', 'left', 'right'] as const)[n % 4] ?? 'up';
  const amount = 1 + ((n * 7) % 12);
  return [
    { input: { action: 'left_click', coordinate: at }, pressed: times(LEFT, 1) },
    { input: { action: 'right_click', coordinate: at }, pressed: times(3, 1) },
    { input: { action: 'middle_click', coordinate: at, text: 'ctrl' }, pressed: times(2, 1), ctrl: true },
    { input: { action: 'double_click', coordinate: at }, pressed: times(LEFT, 2) },
    { input: { action: 'triple_click', coordinate: at }, pressed: times(LEFT, 3) },
    {
      input: { action: 'scroll', coordinate: at, scroll_direction: direction, scroll_amount: amount },
      pressed: times(BUTTONS[direction], amount),
    },
    {
      input: { action: 'left_click_drag', start_coordinate: other, coordinate: at },
      pressed: [{ button: LEFT, at: other }],
      released: at,
    },
    { input: { action: 'mouse_move', coordinate: other }, pressed: [] },
    { input: { action: 'left_mouse_down' }, pressed: [{ button: LEFT, at: other }] },
    { input: { action: 'mouse_move', coordinate: at }, pressed: [] },
    { input: { action: 'left_mouse_up' }, pressed: [], released: at },
  ];
}
