import type { Area, Pixels } from './pixels.ts';

/** How much each pixel of an area differs from its background: 0 to 255, rows from the top. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Counts of colours, by 5 bits of each channel; reused, since clearing is quicker than allocating. */
const bins = new Uint32Array(32768);
const levels = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)] as const;

/**
 * The background is the most frequent colour where one colour fills a good part of the area. Elsewhere, on gradients
 * and pictures, it is the median colour of each stretch of columns, since letters cover less than half of a line. The
 * difference is the largest of the three channels', so that red on green counts and dark themes need no rule.
 */
export function inkOf(pixels: Pixels, area: Area): Ink {
  const width = area.right - area.left;
  const height = area.bottom - area.top;
  const ink = { width, height, data: new Uint8Array(width * height) };
  const background = commonColour(pixels, area);
  if (background !== undefined) {
    differences(pixels, area, area.left, area.right, background, ink);
    return ink;
  }
  const stretch = Math.max(16, 2 * height);
  for (let left = area.left; left < area.right; left += stretch) {
    const right = Math.min(area.right, left + stretch);
    differences(pixels, area, left, right, medianColour(pixels, { ...area, left, right }), ink);
  }
  return ink;
}

type Colour = readonly [number, number, number];

function commonColour({ width, data }: Pixels, area: Area): Colour | undefined {
  bins.fill(0);
  let most = 0;
  let key = 0;
  for (let y = area.top; y < area.bottom; y += 1) {
    for (let at = (y * width + area.left) * 3; at < (y * width + area.right) * 3; at += 3) {
      const bin =
        (((data[at] ?? 0) >> 3) << 10) | (((data[at + 1] ?? 0) >> 3) << 5) | ((data[at + 2] ?? 0) >> 3);
      const count = (bins[bin] ?? 0) + 1;
      bins[bin] = count;
      if (count > most) {
        most = count;
        key = bin;
      }
    }
  }
  if (most < 0.3 * (area.right - area.left) * (area.bottom - area.top)) return undefined;
  const sums = [0, 0, 0];
  for (let y = area.top; y < area.bottom; y += 1) {
    for (let at = (y * width + area.left) * 3; at < (y * width + area.right) * 3; at += 3) {
      const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
      if ((((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3)) !== key) continue;
      sums[0] = (sums[0] ?? 0) + r;
      sums[1] = (sums[1] ?? 0) + g;
      sums[2] = (sums[2] ?? 0) + b;
    }
  }
  return [(sums[0] ?? 0) / most, (sums[1] ?? 0) / most, (sums[2] ?? 0) / most];
}

function medianColour({ width, data }: Pixels, area: Area): Colour {
  const half = ((area.right - area.left) * (area.bottom - area.top)) / 2;
  for (const level of levels) level.fill(0);
  for (let y = area.top; y < area.bottom; y += 1) {
    for (let at = (y * width + area.left) * 3; at < (y * width + area.right) * 3; at += 3) {
      for (const [channel, level] of levels.entries()) {
        const value = data[at + channel] ?? 0;
        level[value] = (level[value] ?? 0) + 1;
      }
    }
  }
  const [red, green, blue] = levels.map((level) => {
    let seen = 0;
    for (let value = 0; value < 256; value += 1) {
      seen += level[value] ?? 0;
      if (seen > half) return value;
    }
    return 255;
  });
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function differences(
  { width, data }: Pixels,
  area: Area,
  left: number,
  right: number,
  background: Colour,
  ink: Ink,
): void {
  const [red, green, blue] = background;
  for (let y = area.top; y < area.bottom; y += 1) {
    let to = (y - area.top) * ink.width + left - area.left;
    for (let at = (y * width + left) * 3; at < (y * width + right) * 3; at += 3, to += 1) {
      const r = Math.abs((data[at] ?? 0) - red);
      const g = Math.abs((data[at + 1] ?? 0) - green);
      const b = Math.abs((data[at + 2] ?? 0) - blue);
      ink.data[to] = r > g ? (r > b ? r : b) : g > b ? g : b;
    }
  }
}
