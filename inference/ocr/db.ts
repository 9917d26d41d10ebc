import { cornersOf, minAreaRectangle, type Point, type Quad } from './min-area-rectangle.ts';

interface DbOptions {
  /** Pixels with a higher probability are text. Default 0.3. */
  readonly threshold?: number;
  /** Regions with a lower mean probability are dropped. Default 0.6. */
  readonly boxThreshold?: number;
  /** Regions are smaller than their text; each side moves out by area * ratio / perimeter. Default 1.5. */
  readonly unclipRatio?: number;
  /** How many regions are considered, from the top. Default 1000. */
  readonly maxCandidates?: number;
  /** The least side of a region in map pixels, before its sides move out; afterwards it is two more. Default 3. */
  readonly minSide?: number;
}

/**
 * A place with text. Its corners run clockwise from the top left, in map pixels where (0, 0) is the first one, and are
 * not clipped.
 */
interface TextRegion {
  readonly polygon: Quad;
  /** The mean probability inside, 0 to 1. */
  readonly score: number;
}

/**
 * Finds the regions in a map of text probabilities (`height` rows of `width`) as PaddleOCR's post-processing of the DB
 * detector does: it takes groups of pixels above the threshold, the smallest rectangle around each with its mean
 * probability, and moves the rectangle's sides out. Unlike there, holes inside a group are no candidates, and corners
 * stay fractions.
 */
export function decodeDb(
  map: Float32Array,
  width: number,
  height: number,
  options: DbOptions = {},
): TextRegion[] {
  const {
    threshold = 0.3,
    boxThreshold = 0.6,
    unclipRatio = 1.5,
    maxCandidates = 1000,
    minSide = 3,
  } = options;
  const regions: TextRegion[] = [];
  for (const { runs } of connectedComponents(map, width, height, threshold).slice(0, maxCandidates)) {
    const points: Point[] = [];
    for (let at = 0; at < runs.length; at += 3) {
      const y = runs[at] ?? 0;
      points.push([runs[at + 1] ?? 0, y], [runs[at + 2] ?? 0, y]);
    }
    const rectangle = minAreaRectangle(points);
    if (Math.min(rectangle.width, rectangle.height) < minSide) continue;
    const score = meanInside(map, width, height, cornersOf(rectangle, 0));
    if (!(score >= boxThreshold)) continue;
    const perimeter = 2 * (rectangle.width + rectangle.height);
    const margin = (rectangle.width * rectangle.height * unclipRatio) / perimeter;
    if (Math.min(rectangle.width, rectangle.height) + 2 * margin < minSide + 2) continue;
    regions.push({ polygon: cornersOf(rectangle, margin), score });
  }
  return regions;
}

/** Answers the mean over the pixels in and on a quad, whose corners are truncated to whole pixels. */
function meanInside(map: Float32Array, width: number, height: number, quad: Quad): number {
  const whole = quad.map(([x, y]): Point => [Math.trunc(x), Math.trunc(y)]);
  const top = Math.min(...whole.map(([, y]) => y));
  const rows = Math.max(...whole.map(([, y]) => y)) - top + 1;
  const first = Array.from({ length: rows }, () => Infinity);
  const last = Array.from({ length: rows }, () => -Infinity);
  for (const [index, [x, y]] of whole.entries()) {
    const [toX, toY] = whole[(index + 1) % whole.length] ?? [x, y];
    const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y), 1);
    for (let step = 0; step <= steps; step += 1) {
      const px = Math.round(x + ((toX - x) * step) / steps);
      const row = Math.round(y + ((toY - y) * step) / steps) - top;
      first[row] = Math.min(first[row] ?? Infinity, px);
      last[row] = Math.max(last[row] ?? -Infinity, px);
    }
  }
  let sum = 0;
  let count = 0;
  for (let row = 0; row < rows; row += 1) {
    const y = top + row;
    if (y < 0 || y >= height) continue;
    const end = Math.min(last[row] ?? -1, width - 1);
    for (let x = Math.max(first[row] ?? 0, 0); x <= end; x += 1) {
      sum += map[y * width + x] ?? 0;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/** An 8-connected group of pixels as its runs, row by row from the top; each run is `y, first x, last x`. */
interface Component {
  readonly runs: readonly number[];
}

/** Answers the groups of pixels whose value is above `threshold`, in the order of their first pixels. */
function connectedComponents(
  map: Float32Array,
  width: number,
  height: number,
  threshold: number,
): Component[] {
  const runs: number[] = [];
  const parents: number[] = [];
  const root = (run: number): number => {
    let at = run;
    for (let up = parents[at] ?? at; up !== at; up = parents[at] ?? at) {
      parents[at] = parents[up] ?? up;
      at = up;
    }
    return at;
  };
  let above = 0;
  for (let y = 0; y < height; y += 1) {
    const first = parents.length;
    const row = y * width;
    let candidate = above;
    for (let x = 0; x < width; x += 1) {
      if (!((map[row + x] ?? 0) > threshold)) continue;
      const start = x;
      while (x + 1 < width && (map[row + x + 1] ?? 0) > threshold) x += 1;
      const run = parents.length;
      parents.push(run);
      runs.push(y, start, x);
      while (candidate < first && (runs[candidate * 3 + 2] ?? 0) < start - 1) candidate += 1;
      for (let other = candidate; other < first && (runs[other * 3 + 1] ?? 0) <= x + 1; other += 1) {
        const [a, b] = [root(run), root(other)];
        parents[Math.max(a, b)] = Math.min(a, b);
      }
    }
    above = first;
  }
  const components = new Map<number, number[]>();
  for (let run = 0; run < parents.length; run += 1) {
    const key = root(run);
    const own = components.get(key);
    const [y = 0, start = 0, end = 0] = runs.slice(run * 3, run * 3 + 3);
    if (own === undefined) components.set(key, [y, start, end]);
    else own.push(y, start, end);
  }
  return [...components.values()].map((own) => ({ runs: own }));
}
