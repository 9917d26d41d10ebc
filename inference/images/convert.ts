import { inTimeSlices } from './time-slices.ts';

/** Pixels done between two looks at the clock. */
const PIXELS_A_SLICE = 1 << 16;

function perPixel(pixels: number, slice: (begin: number, end: number) => void): Promise<void> {
  return inTimeSlices(pixels, slice, PIXELS_A_SLICE);
}

/**
 * Ink to light as OpenCV does it for JPEG, without a colour profile: `k - ((ink * k) >> 8)` with `k = 255 - black`.
 * @param inks cyan, magenta, yellow, black; 255 is full ink
 */
export async function cmykToRgb(inks: Uint8Array): Promise<Uint8Array> {
  const pixels = inks.length / 4;
  const rgb = new Uint8Array(pixels * 3);
  await perPixel(pixels, (begin, end) => {
    let to = begin * 3;
    for (let from = begin * 4; from < end * 4; from += 4) {
      const light = 255 - (inks[from + 3] as number);
      rgb[to] = light - (((inks[from] as number) * light) >> 8);
      rgb[to + 1] = light - (((inks[from + 1] as number) * light) >> 8);
      rgb[to + 2] = light - (((inks[from + 2] as number) * light) >> 8);
      to += 3;
    }
  });
  return rgb;
}

/** Colours times alpha, rounded, in place, as libtiff does where a TIFF's alpha is not associated. */
export async function premultiply(rgba: Uint8Array): Promise<void> {
  const times = (value: number, alpha: number): number => Math.floor((value * alpha + 127) / 255);
  await perPixel(rgba.length / 4, (begin, end) => {
    for (let at = begin * 4; at < end * 4; at += 4) {
      const alpha = rgba[at + 3] as number;
      if (alpha === 255) continue;
      rgba[at] = times(rgba[at] as number, alpha);
      rgba[at + 1] = times(rgba[at + 1] as number, alpha);
      rgba[at + 2] = times(rgba[at + 2] as number, alpha);
    }
  });
}

/** 16 bit to 8, rounded, as libtiff does for RGB (PNG's way is the high byte); a fourth channel is left out. */
export async function roundTo8(wide: Uint16Array, channels: number): Promise<Uint8Array> {
  const pixels = wide.length / channels;
  const rgb = new Uint8Array(pixels * 3);
  await perPixel(pixels, (begin, end) => {
    for (let pixel = begin; pixel < end; pixel += 1)
      for (let channel = 0; channel < 3; channel += 1)
        rgb[pixel * 3 + channel] = Math.floor(((wide[pixel * channels + channel] as number) + 128) / 257);
  });
  return rgb;
}

/** Without the alpha channel. */
export async function dropAlpha(rgba: Uint8Array): Promise<Uint8Array> {
  const pixels = rgba.length / 4;
  const rgb = new Uint8Array(pixels * 3);
  await perPixel(pixels, (begin, end) => {
    for (let pixel = begin; pixel < end; pixel += 1) {
      rgb[pixel * 3] = rgba[pixel * 4] as number;
      rgb[pixel * 3 + 1] = rgba[pixel * 4 + 1] as number;
      rgb[pixel * 3 + 2] = rgba[pixel * 4 + 2] as number;
    }
  });
  return rgb;
}
