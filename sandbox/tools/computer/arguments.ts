import type { Point, Wheel } from '../../display/mouse.ts';
import { pythonRepr, pythonStr } from '../python-text.ts';
import { ToolError } from '../tool.ts';
import type { CoordinateSpace } from './coordinate-space.ts';

/** The model's tool input as the reference reads it: a null counts as absent, and unknown fields are ignored. */
export type ComputerInput = Readonly<Record<string, unknown>>;

/** Reads an action's arguments, or throws ToolError with the reference's text. */
export type ArgumentReader<T> = (action: string, input: ComputerInput, space: CoordinateSpace) => T;

/** Reads a position in the model's coordinates and returns it in screen pixels. */
export function pointOf(value: unknown, space: CoordinateSpace): Point {
  if (!Array.isArray(value) || value.length !== 2)
    throw new ToolError(`${pythonStr(value)} must be a tuple of length 2`);
  const [x, y] = value as unknown[];
  if (!isCount(x) || !isCount(y))
    throw new ToolError(`${pythonStr(value)} must be a tuple of non-negative ints`);
  return space.toScreen(x, y);
}

/** Expects `coordinate` and no `text`, and returns a position in screen pixels. */
export const coordinateOnly: ArgumentReader<Point> = (action, { coordinate, text }, space) => {
  if (coordinate == null) throw new ToolError(`coordinate is required for ${action}`);
  refuse('text', text, action);
  return pointOf(coordinate, space);
};

/** Expects `text` and no `coordinate`. */
export const textOnly: ArgumentReader<string> = (action, { coordinate, text }) => {
  if (text == null) throw new ToolError(`text is required for ${action}`);
  refuse('coordinate', coordinate, action);
  return stringOf(text);
};

/** Expects neither `text` nor `coordinate`. */
export const noArguments: ArgumentReader<undefined> = (action, { coordinate, text }) => {
  refuse('text', text, action);
  refuse('coordinate', coordinate, action);
  return undefined;
};

/** Reads an optional `coordinate`. */
export const optionalCoordinate: ArgumentReader<Point | undefined> = (_action, { coordinate }, space) =>
  coordinate == null ? undefined : pointOf(coordinate, space);

/** Reads the keys to hold meanwhile from `text` and `key`, joined; empty for none. */
export const modifiers: ArgumentReader<string> = (_action, { text, key }) =>
  [text, key]
    .filter((value) => value != null)
    .map(stringOf)
    .filter((value) => value !== '')
    .join('+');

interface Scroll {
  readonly direction: Wheel;
  readonly clicks: number;
}

export const scrollOf: ArgumentReader<Scroll> = (
  _action,
  { scroll_direction: direction, scroll_amount: clicks },
) => {
  if (direction !== 'up' && direction !== 'down' && direction !== 'left' && direction !== 'right')
    throw new ToolError(`scroll_direction=${pythonRepr(direction)} must be 'up', 'down', 'left', or 'right'`);
  if (!isCount(clicks)) throw new ToolError(`scroll_amount=${pythonRepr(clicks)} must be a non-negative int`);
  return { direction, clicks };
};

/** Reads `duration` in seconds; at most `longest` is allowed. */
export function secondsOf({ duration }: ComputerInput, longest: number): number {
  const named = `duration=${pythonRepr(duration)}`;
  // In Python a bool is a number.
  const seconds = typeof duration === 'boolean' ? Number(duration) : duration;
  if (typeof seconds !== 'number') throw new ToolError(`${named} must be a number`);
  if (seconds < 0) throw new ToolError(`${named} must be non-negative`);
  if (seconds > longest) throw new ToolError(`${named} is too long.`);
  return seconds;
}

/** Expects `text`, and ignores the other fields. */
export const requiredText: ArgumentReader<string> = (action, { text }) => {
  if (text == null) throw new ToolError(`text is required for ${action}`);
  return stringOf(text);
};

/** Reads how often a toolset's `key` is pressed, 1 to 100. */
export function repeatOf({ repeat }: ComputerInput): number {
  if (repeat == null) return 1;
  if (!isCount(repeat) || repeat < 1 || repeat > 100)
    throw new ToolError(`repeat=${pythonRepr(repeat)} must be an int from 1 to 100`);
  return repeat;
}

/** Reads `region`: two corners in the model's coordinates. */
export function regionOf({ region }: ComputerInput): readonly [number, number, number, number] {
  if (!Array.isArray(region) || region.length !== 4)
    throw new ToolError(`region=${pythonRepr(region)} must be a tuple of 4 coordinates (x0, y0, x1, y1)`);
  const [x0, y0, x1, y1] = region as unknown[];
  if (!isCount(x0) || !isCount(y0) || !isCount(x1) || !isCount(y1))
    throw new ToolError(`region=${pythonRepr(region)} must contain non-negative integers`);
  return [x0, y0, x1, y1];
}

export function refuse(name: string, value: unknown, action: string): void {
  if (value != null) throw new ToolError(`${name} is not accepted for ${action}`);
}

export function stringOf(value: unknown): string {
  if (typeof value !== 'string') throw new ToolError(`${pythonStr(value)} must be a string`);
  return value;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
