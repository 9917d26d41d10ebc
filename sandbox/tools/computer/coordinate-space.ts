import type { Compat, DisplaySize, ToolDefinition } from '@steadyhand/contracts';
import type { Point } from '../../display/mouse.ts';
import { roundHalfEven } from '../python-text.ts';
import { ToolError } from '../tool.ts';

/** The coordinates a model uses, and how they map to the screen. */
export interface CoordinateSpace {
  /** The size of the pictures the model gets and of its coordinate space. */
  readonly size: DisplaySize;
  /** Converts the model's coordinates to screen pixels. Throws ToolError when they are out of bounds. */
  toScreen(x: number, y: number): Point;
  /** Converts screen pixels to the model's coordinates. */
  fromScreen(point: Point): Point;
}

/** Sizes that screenshots are scaled down to, tried in this order. */
const SCALING_TARGETS: readonly DisplaySize[] = [
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1366, height: 768 },
];
const RATIO_TOLERANCE = 0.02;

/**
 * Returns the size in which a screen is shown to the model when the definition names none: the first target of its
 * ratio, if that is smaller.
 */
export function scalingTarget(screen: DisplaySize): DisplaySize | null {
  const ratio = screen.width / screen.height;
  const target = SCALING_TARGETS.find(
    ({ width, height }) => Math.abs(width / height - ratio) < RATIO_TOLERANCE,
  );
  return target !== undefined && target.width < screen.width ? target : null;
}

/**
 * The reference's space: the target, or the screen itself; the definition's size is ignored. Coordinates are checked
 * against the screen instead of the target, and not at all when nothing is scaled.
 */
export function referenceSpace(screen: DisplaySize): CoordinateSpace {
  const target = scalingTarget(screen);
  return space(screen, target ?? screen, target === null ? null : screen);
}

/** The API scales larger pictures down without notice, and clicks then miss. */
const LONGEST_SIDE = 1568;
const MOST_PIXELS = 1_150_000;

/** Returns the screen's size, or the largest size of its ratio that every model sees unscaled. */
export function seenSize({ width, height }: DisplaySize): DisplaySize {
  const factor = Math.min(
    1,
    LONGEST_SIDE / Math.max(width, height),
    Math.sqrt(MOST_PIXELS / (width * height)),
  );
  return { width: Math.floor(width * factor), height: Math.floor(height * factor) };
}

/** The size of the pictures, and of the coordinates, of a computer whose definition names none. */
export function untoldSize(screen: DisplaySize, compat: Compat): DisplaySize {
  return scalingTarget(screen) ?? (compat === 'reference' ? screen : seenSize(screen));
}

/**
 * The space that the definition declares (`display_width_px`, `display_height_px`), else the target, else the size in
 * which models see the screen. Coordinates are checked against it. As in the reference the size itself is still
 * accepted and means the last pixel.
 */
export function declaredSpace(screen: DisplaySize, definition: ToolDefinition): CoordinateSpace {
  const { display_width_px: width, display_height_px: height } = definition;
  const told = isExtent(width) && isExtent(height) ? { width, height } : untoldSize(screen, 'default');
  return space(screen, told, told);
}

function isExtent(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function space(screen: DisplaySize, size: DisplaySize, bounds: DisplaySize | null): CoordinateSpace {
  const factor = { x: size.width / screen.width, y: size.height / screen.height };
  return {
    size,
    toScreen: (x, y) => {
      if (bounds !== null && (x > bounds.width || y > bounds.height))
        throw new ToolError(`Coordinates ${x}, ${y} are out of bounds`);
      return {
        x: Math.min(roundHalfEven(x / factor.x), screen.width - 1),
        y: Math.min(roundHalfEven(y / factor.y), screen.height - 1),
      };
    },
    fromScreen: ({ x, y }) => ({ x: roundHalfEven(x * factor.x), y: roundHalfEven(y * factor.y) }),
  };
}
