import type { Area, Pixels } from './pixels.ts';

/** The height of the recogniser's input. */
export const LINE_HEIGHT = 48;

/**
 * Answers a piece of a line as the recogniser takes it: `[1, 3, 48, width]` in blue, green and red from -1 to 1,
 * resized bilinearly. The last of the `used` columns is repeated to the right of them.
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

const MEAN = [0.485, 0.456, 0.406] as const;
const STD = [0.229, 0.224, 0.225] as const;

/** The detector halves its input five times, so sides have to be multiples of this. */
const MULTIPLE = 32;

/** Answers the smallest side from `size` on that the detector takes. */
export function detectorSide(size: number): number {
  return Math.max(MULTIPLE, Math.ceil(size / MULTIPLE) * MULTIPLE);
}

/**
 * Answers an area at its own size as the detector takes it: `[1, 3, height, width]` in blue, green and red, normalised
 * as PP-OCR was trained. Outside the picture its last row and column are repeated.
 */
export function detectorInput(pixels: Pixels, area: Area, width: number, height: number): Float32Array {
  const plane = width * height;
  const out = new Float32Array(3 * plane);
  for (let channel = 0; channel < 3; channel += 1) {
    const table = Float32Array.from({ length: 256 }, (_, value) => {
      return (value / 255 - (MEAN[channel] ?? 0)) / (STD[channel] ?? 1);
    });
    const offset = 2 - channel;
    for (let y = 0; y < height; y += 1) {
      const row = Math.min(area.top + y, pixels.height - 1) * pixels.width;
      const to = channel * plane + y * width;
      const inside = Math.min(width, pixels.width - area.left);
      let from = (row + area.left) * 3 + offset;
      for (let x = 0; x < inside; x += 1, from += 3) out[to + x] = table[pixels.data[from] ?? 0] ?? 0;
      out.fill(out[to + inside - 1] ?? 0, to + inside, to + width);
    }
  }
  return out;
}
