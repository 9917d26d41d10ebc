import { z } from 'zod';
import { integer, sharedToolFields } from '../schema/fields/shared.ts';
import { choice, integers, seconds, text, wholeNumber, type PropertySchema } from './tool-function.ts';

/** The fields of a computer tool with an `action` in a request, in all generations. */
export const computerFields = {
  name: z.literal('computer'),
  display_width_px: integer(1),
  display_height_px: integer(1),
  display_number: z.exactOptional(z.nullable(integer(0))),
  ...sharedToolFields,
};

/** The directions of `scroll`. */
const SCROLL_DIRECTIONS = ['up', 'down', 'left', 'right'] as const;

/** The inputs of the actions, for models that are offered them as functions. */
export const COMPUTER_INPUTS = {
  coordinate: integers(2, '[x, y]: pixels from the left and from the top edge'),
  start_coordinate: integers(2, '[x, y] where a drag begins'),
  scroll_direction: choice(SCROLL_DIRECTIONS, 'Where to scroll'),
  scroll_amount: wholeNumber('How many clicks of the wheel', 0),
  region: integers(4, '[x0, y0, x1, y1]: the corners of the part to look at, in pixels of the whole screen'),
  modifiers: text('Keys to hold meanwhile, such as ctrl or ctrl+shift'),
  repeat: wholeNumber('How often to press; 1 when left out', 1, 100),
} as const satisfies Readonly<Record<string, PropertySchema>>;

/** The schema for the duration of `hold_key` and `wait`. */
export const duration = (longest: number): PropertySchema => seconds('How long, in seconds', longest);

interface Display {
  readonly display_width_px: number;
  readonly display_height_px: number;
  readonly display_number?: number | null;
}

/** The first line of a computer tool's description: what it is and how large its display is. */
export function displayLine(
  name: string,
  { display_width_px: width, display_height_px: height, display_number: number }: Display,
): string {
  return (
    `- ${name}: the mouse, the keyboard and the screen. The display is ${width} pixels wide and ${height} high` +
    `${number == null ? '' : `; it is the X11 display :${number}`}.`
  );
}

/** Advice about looking at the screen that several generations share. */
export const LOOK_LINES = [
  '  Take a screenshot before you click, aim at the middle of what you mean, and look again afterwards: programs',
  '  need time to open.',
];
