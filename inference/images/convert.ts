import type { RawImage } from './raw-image.ts';
import { inTimeSlices } from './time-slices.ts';

/** Pixels that are converted between two looks at the clock. */
const PIXELS_A_SLICE = 1 << 16;

function perPixel(pixels: number, slice: (begin: number, end: number) => void): Promise<void> {
  return inTimeSlices(pixels, slice, PIXELS_A_SLICE);
}

/**
 * CMYK to RGB as OpenCV does it for JPEG, without a colour profile: `k - ((ink * k) >> 8)` with `k = 255 - black`.
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

/** Multiplies colours by alpha in place, rounded as libtiff does it where a TIFF's alpha is not associated. */
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

/** 16 bit to 8 bit, rounded as libtiff does it for RGB (for PNG the high byte counts). A fourth channel is left out. */
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

/** Answers three channels of 8 bit: grey is repeated, alpha is left out, and of 16 bits the high byte counts. */
export async function toRgb(image: RawImage): Promise<Uint8Array<ArrayBuffer>> {
  const { data, width, height, channels } = image;
  if (channels === 3 && data instanceof Uint8Array) return ownedCopy(data);
  const rgb = new Uint8Array(width * height * 3);
  await perPixel(width * height, (begin, end) => writeRgb(image, rgb, begin, end));
  return rgb;
}

/** Writes the pixels from `begin` to before `end` into `rgb` as `toRgb` describes it. */
export function writeRgb({ data, channels }: RawImage, rgb: Uint8Array, begin: number, end: number): void {
  const shift = data.BYTES_PER_ELEMENT === 2 ? 8 : 0;
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let from = begin * channels, to = begin * 3; to < end * 3; from += channels, to += 3) {
    rgb[to] = (data[from] as number) >> shift;
    rgb[to + 1] = (data[from + green] as number) >> shift;
    rgb[to + 2] = (data[from + blue] as number) >> shift;
  }
}

const BYTES_A_SLICE = 1 << 20;

/**
 * Makes a copy in a buffer of its own. It is made in slices, because fresh memory is slow to touch and 100 MB at once
 * would hold up the event loop. The buffer is not cleared first, which lets the allocator give memory that was used
 * before: that takes half the time for a full HD image.
 */
export async function ownedCopy(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(Buffer.allocUnsafeSlow(data.length).buffer as ArrayBuffer);
  const slice = (begin: number, end: number): void => copy.set(data.subarray(begin, end), begin);
  await inTimeSlices(data.length, slice, BYTES_A_SLICE);
  return copy;
}
