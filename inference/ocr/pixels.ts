import type { RawImage } from '../images/raw-image.ts';

/** Red, green and blue, 8 bit each, rows from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Whole pixels; `right` and `bottom` are the first ones outside. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Grey stands for all three colours, alpha is dropped, of 16 bits the high byte is taken. No copy where none is needed. */
export function toPixels(image: RawImage): Pixels {
  const { width, height, channels, data } = image;
  if (channels === 3 && data.BYTES_PER_ELEMENT === 1) return { width, height, data: data as Uint8Array };
  const shift = data.BYTES_PER_ELEMENT === 2 ? 8 : 0;
  const colours = channels >= 3 ? 1 : 0;
  const out = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < out.length; from += channels, to += 3) {
    out[to] = (data[from] ?? 0) >> shift;
    out[to + 1] = (data[from + colours] ?? 0) >> shift;
    out[to + 2] = (data[from + 2 * colours] ?? 0) >> shift;
  }
  return { width, height, data: out };
}

/** The smallest area of whole pixels around points, grown by `margin` and clipped to the picture. */
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
