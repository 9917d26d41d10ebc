import type { Area, Pixels } from './pixels.ts';

const MEAN = [0.485, 0.456, 0.406] as const;
const STD = [0.229, 0.224, 0.225] as const;

/** The detector halves its input five times, so sides have to be multiples of this. */
const MULTIPLE = 32;

/** The smallest side from `size` on that the detector takes. */
export function detectorSide(size: number): number {
  return Math.max(MULTIPLE, Math.ceil(size / MULTIPLE) * MULTIPLE);
}

/**
 * An area at its own size as the detector takes it: `[1, 3, height, width]` in blue, green and red, normalised as
 * PP-OCR was trained. Outside the picture its last row and column are repeated.
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
