import { writeRgb } from '../images/convert.ts';
import type { RawImage } from '../images/raw-image.ts';

/** A picture in red, green and blue of 8 bit each, rows from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** An area of whole pixels; `right` and `bottom` are the first ones outside. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Answers an image as red, green and blue of 8 bit, as `writeRgb` converts it. One that is so already is not copied.
 */
export function toPixels(image: RawImage): Pixels {
  const { width, height, channels, data } = image;
  if (channels === 3 && data.BYTES_PER_ELEMENT === 1) return { width, height, data: data as Uint8Array };
  const rgb = new Uint8Array(width * height * 3);
  writeRgb(image, rgb, 0, width * height);
  return { width, height, data: rgb };
}

/** Answers two 32-bit hashes of an area's pixels: one of FNV's kind, one that rotates. */
export function hashOf({ width, data }: Pixels, { left, top, right, bottom }: Area): [number, number] {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let y = top; y < bottom; y += 1) {
    const end = (y * width + right) * 3;
    for (let at = (y * width + left) * 3; at < end; at += 3) {
      const value = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
      a = Math.imul(a ^ value, 0x01000193);
      b = Math.imul((b << 13) | (b >>> 19), 5) + Math.imul(value, 0x85ebca6b);
    }
  }
  return [a, b];
}

/** Answers the smallest area of whole pixels around points, grown by `margin` and clipped to the picture. */
export function areaAround(
  points: readonly (readonly [x: number, y: number])[],
  margin: number,
  { width, height }: { readonly width: number; readonly height: number },
): Area {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    left: Math.max(0, Math.floor(Math.min(...xs)) - margin),
    top: Math.max(0, Math.floor(Math.min(...ys)) - margin),
    right: Math.min(width, Math.ceil(Math.max(...xs)) + 1 + margin),
    bottom: Math.min(height, Math.ceil(Math.max(...ys)) + 1 + margin),
  };
}
