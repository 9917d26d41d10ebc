import type { Point } from '../../display/mouse.ts';
import { pythonStr } from '../python-text.ts';
import { ToolError } from '../tool.ts';
import type { CoordinateSpace } from './coordinate-space.ts';

/** The model's tool input as the reference reads it: a null counts as absent, unknown fields are ignored. */
export type ComputerInput = Readonly<Record<string, unknown>>;

/** Reads an action's arguments, or throws ToolError with the reference's text. */
export type ArgumentReader<T> = (action: string, input: ComputerInput, space: CoordinateSpace) => T;

/** `coordinate` and no `text`: a place on the screen, in screen pixels. */
export const coordinateOnly: ArgumentReader<Point> = (action, { coordinate, text }, space) => {
  if (coordinate == null) throw new ToolError(`coordinate is required for ${action}`);
  refuse('text', text, action);
  if (!Array.isArray(coordinate) || coordinate.length !== 2)
    throw new ToolError(`${pythonStr(coordinate)} must be a tuple of length 2`);
  const [x, y] = coordinate as unknown[];
  if (!isCount(x) || !isCount(y))
    throw new ToolError(`${pythonStr(coordinate)} must be a tuple of non-negative ints`);
  return space.toScreen(x, y);
};

/** `text` and no `coordinate`. */
export const textOnly: ArgumentReader<string> = (action, { coordinate, text }) => {
  if (text == null) throw new ToolError(`text is required for ${action}`);
  refuse('coordinate', coordinate, action);
  if (typeof text !== 'string') throw new ToolError(`${pythonStr(text)} must be a string`);
  return text;
};

/** Neither. */
export const nothing: ArgumentReader<undefined> = (action, { coordinate, text }) => {
  refuse('text', text, action);
  refuse('coordinate', coordinate, action);
  return undefined;
};

function refuse(name: string, value: unknown, action: string): void {
  if (value != null) throw new ToolError(`${name} is not accepted for ${action}`);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
