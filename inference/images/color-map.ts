export type Rgb = readonly [red: number, green: number, blue: number];
export type ColorMap = 'gray' | 'viridis';

/** Evenly spaced stops of viridis, by S. van der Walt and N. Smith (CC0); colours between them are interpolated. */
const VIRIDIS: readonly Rgb[] = [
  [0x44, 0x01, 0x54],
  [0x48, 0x28, 0x78],
  [0x3e, 0x49, 0x89],
  [0x31, 0x68, 0x8e],
  [0x26, 0x82, 0x8e],
  [0x1f, 0x9e, 0x89],
  [0x35, 0xb7, 0x79],
  [0x6e, 0xce, 0x58],
  [0xb5, 0xde, 0x2b],
  [0xfd, 0xe7, 0x25],
];
const STEPS = 256;

/** 256 colours from the lowest to the highest value, three bytes each. */
export function colorTable(map: ColorMap): Uint8Array {
  const stops: readonly Rgb[] = map === 'gray' ? [[0, 0, 0], [255, 255, 255]] : VIRIDIS; // prettier-ignore
  const table = new Uint8Array(STEPS * 3);
  for (let step = 0; step < STEPS; step += 1) {
    const place = (step / (STEPS - 1)) * (stops.length - 1);
    const index = Math.min(Math.floor(place), stops.length - 2);
    const low = stops[index] as Rgb;
    const high = stops[index + 1] as Rgb;
    for (let c = 0; c < 3; c += 1)
      table[step * 3 + c] = Math.round(
        (low[c] as number) + ((high[c] as number) - (low[c] as number)) * (place - index),
      );
  }
  return table;
}

/**
 * Hues lie a golden section of the circle apart: classes with neighbouring numbers differ strongly, and no two of the
 * first hundreds are equal.
 */
const GOLDEN = 0.618033988749895;

/** Answers a strong colour for a class; the same number always gets the same colour. */
export function classColor(classId: number): Rgb {
  const hue = ((Math.abs(Math.trunc(classId)) * GOLDEN + 0.02) % 1) * 6;
  const channel = (offset: number): number => {
    const k = (offset + hue) % 6;
    return Math.round(255 * (0.95 - 0.95 * 0.85 * Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return [channel(5), channel(3), channel(1)];
}

/** Black or white, whichever is easier to read on the colour (by Rec. 709 luma). */
export function inkOn([red, green, blue]: Rgb): Rgb {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 140 ? [0, 0, 0] : [255, 255, 255];
}
