import { isRecord } from '../api/is-record.ts';
import type { Size } from '../models/image-limits.ts';

/** The client's space and the smaller one that the model is shown; both are the size of one screen. */
export interface Spaces {
  readonly client: Size;
  readonly model: Size;
}

type Axis = 'width' | 'height';

export function areSame({ client, model }: Spaces): boolean {
  return client.width === model.width && client.height === model.height;
}

/**
 * Moves `coordinate`, `start_coordinate` and `region` in a computer tool's input of any generation from one space to
 * another. Malformed values stay as they are, so that the tool refuses them.
 *
 * A point means the middle of its pixel, a region the edges between pixels. From the model's space to the client's and
 * back is exact; from the client's to the model's and back is off by half a pixel of the model's space at most.
 */
export function moveInput(input: unknown, from: Size, to: Size): unknown {
  if (!isRecord(input)) return input;
  const moved: Record<string, unknown> = { ...input };
  for (const field of ['coordinate', 'start_coordinate'] as const) {
    if (areNumbers(input[field], 2)) moved[field] = movePoint(input[field], from, to);
  }
  if (areNumbers(input['region'], 4)) moved['region'] = moveRegion(input['region'], from, to);
  return moved;
}

/** Moves the position in `X=640,Y=400`, the answer to `cursor_position`, and keeps its spacing. */
export function moveCursorText(text: string, from: Size, to: Size): string {
  return text.replaceAll(/\bX=(\d+)(,\s*)Y=(\d+)/g, (_, x: string, comma: string, y: string) => {
    const [movedX = 0, movedY = 0] = movePoint([Number(x), Number(y)], from, to);
    return `X=${movedX}${comma}Y=${movedY}`;
  });
}

function movePoint([x = 0, y = 0]: readonly number[], from: Size, to: Size): number[] {
  const middle = (value: number, axis: Axis): number => Math.floor(((value + 0.5) * to[axis]) / from[axis]);
  return [middle(x, 'width'), middle(y, 'height')];
}

function moveRegion([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[], from: Size, to: Size): number[] {
  const edge = (value: number, axis: Axis): number => Math.round((value * to[axis]) / from[axis]);
  return [edge(x0, 'width'), edge(y0, 'height'), edge(x1, 'width'), edge(y1, 'height')];
}

function areNumbers(value: unknown, count: number): value is readonly number[] {
  return Array.isArray(value) && value.length === count && value.every((item) => Number.isFinite(item));
}
