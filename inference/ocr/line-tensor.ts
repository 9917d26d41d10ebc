import type { Area, Pixels } from './pixels.ts';

/** The height of the recogniser's input. */
export const LINE_HEIGHT = 48;

/**
 * A piece of a line as the recogniser takes it: `[1, 3, 48, width]` in blue, green and red from -1 to 1, resized
 * bilinearly. The last of the `used` columns is repeated to the right of them.
 */
export function lineTensor(pixels: Pixels, area: Area, used: number, width: number): Float32Array {
  const plane = LINE_HEIGHT * width;
  const out = new Float32Array(3 * plane);
  const { left: first, right, top, bottom } = area;
  const columns = taps(right - first, used, width);
  const rows = taps(bottom - top, LINE_HEIGHT, LINE_HEIGHT);
  const { data } = pixels;
  for (let y = 0; y < LINE_HEIGHT; y += 1) {
    const upper = ((top + (rows.low[y] ?? 0)) * pixels.width + first) * 3;
    const lower = ((top + (rows.high[y] ?? 0)) * pixels.width + first) * 3;
    const v = rows.part[y] ?? 0;
    let to = y * width;
    for (let x = 0; x < width; x += 1, to += 1) {
      const a = (columns.low[x] ?? 0) * 3;
      const b = (columns.high[x] ?? 0) * 3;
      const u = columns.part[x] ?? 0;
      for (let channel = 0; channel < 3; channel += 1) {
        const p = data[upper + a + channel] ?? 0;
        const q = data[upper + b + channel] ?? 0;
        const r = data[lower + a + channel] ?? 0;
        const s = data[lower + b + channel] ?? 0;
        const above = p + (q - p) * u;
        const value = above + (r + (s - r) * u - above) * v;
        out[to + (2 - channel) * plane] = value / 127.5 - 1;
      }
    }
  }
  return out;
}

/** For each of `to` samples the two source samples around its centre, and the second one's weight. */
function taps(
  from: number,
  to: number,
  count: number,
): { low: Int32Array; high: Int32Array; part: Float64Array } {
  const low = new Int32Array(count);
  const high = new Int32Array(count);
  const part = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const place = Math.min(Math.max(((Math.min(at, to - 1) + 0.5) * from) / to - 0.5, 0), from - 1);
    low[at] = Math.floor(place);
    high[at] = Math.min(Math.floor(place) + 1, from - 1);
    part[at] = place - Math.floor(place);
  }
  return { low, high, part };
}
