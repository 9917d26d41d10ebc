import type { Sharp } from 'sharp';
import { oneLine } from '../common/errors.ts';
import { cmykToRgb, ownedCopy, premultiply, roundTo8, toRgb } from './convert.ts';
import type { ImageHeader } from './image-header.ts';
import { hasTooManyScans, MAX_SCANS } from './jpeg-scans.ts';
import { DEFAULT_IMAGE_LIMITS, type ImageLimits, probeImage, unreadable } from './probe-image.ts';
import type { RawImage } from './raw-image.ts';
import { imageConcurrency, loadSharp } from './sharp.ts';

export interface DecodeOptions {
  /**
   * `color`: three channels of 8 bit, EXIF rotation applied. `unchanged`: channels and depth as the file has them, not
   * rotated. Both have the samples of cv2.IMREAD_COLOR and cv2.IMREAD_UNCHANGED, in the order red, green, blue, alpha.
   */
  readonly read: 'color' | 'unchanged';
  readonly limits?: ImageLimits;
  /**
   * Lets the decoder reduce a JPEG while it reads, to no less than this size. A large one takes a fraction of the time,
   * but its pixels are not those of an exact reading and an area interpolation.
   */
  readonly shrinkTo?: { readonly width: number; readonly height: number };
  readonly signal?: AbortSignal;
}

export interface DecodedImage extends RawImage {
  /** The size before `shrinkTo` reduced it, after any EXIF rotation. Results are in these pixels. */
  readonly original: { readonly width: number; readonly height: number };
}

/**
 * Decodes a JPEG, PNG, WebP or TIFF file on a thread of libuv's pool, as many at once as there are cores. `bytes` are
 * read in place and must not change until it is over. Broken and truncated files are refused, never filled in.
 * @throws {InferenceError} format_not_supported, image_too_large, image_unreadable
 */
export async function decodeImage(bytes: Uint8Array, options: DecodeOptions): Promise<DecodedImage> {
  const limits = options.limits ?? DEFAULT_IMAGE_LIMITS;
  const header = probeImage(bytes, limits);
  if (header.firstScan !== undefined && (await hasTooManyScans(bytes, header.firstScan)))
    throw unreadable(`The jpeg file cannot be read: it has more than ${MAX_SCANS} scans`);
  const sharp = await loadSharp();
  const decode = async (): Promise<DecodedImage> => {
    const input = sharp(bytes, { failOn: 'error', ignoreIcc: true, limitInputPixels: limits.maxPixels });
    input.timeout({ seconds: Math.ceil(limits.maxDecodeMs / 1000) });
    try {
      return await (options.read === 'color'
        ? decodeColor(input, header, options.shrinkTo)
        : decodeStored(input, header));
    } catch (error) {
      throw unreadable(`The ${header.format} file cannot be decoded: ${oneLine(error, 200)}`, error);
    }
  };
  return imageConcurrency.run(decode, {
    signal: options.signal,
    limitMs: limits.maxDecodeMs,
    late: () => unreadable(`The image took longer than ${limits.maxDecodeMs} ms to decode`),
  });
}

async function decodeColor(
  input: Sharp,
  header: ImageHeader,
  shrinkTo: DecodeOptions['shrinkTo'],
): Promise<DecodedImage> {
  const turned = header.orientation >= 5;
  const original = turned
    ? { width: header.height, height: header.width }
    : { width: header.width, height: header.height };
  if (shrinkTo !== undefined && header.format === 'jpeg' && !header.cmyk && canShrink(original, shrinkTo)) {
    const { width, height } = turned ? { width: shrinkTo.height, height: shrinkTo.width } : shrinkTo;
    input.resize({ width, height, fit: 'outside', kernel: 'linear', fastShrinkOnLoad: true });
  }
  orient(input, header.orientation);
  if (header.format === 'tiff' && header.channels >= 3 && (header.depth === 16 || header.straightAlpha)) {
    const image = await rawPixels(input, header.depth === 16 ? 'rgb16' : 'srgb');
    return { ...image, channels: 3, data: await tiffToColor(image), original };
  }
  if (header.cmyk) return { ...(await cmykPixels(input)), original };
  return { ...(await rawPixels(input.removeAlpha(), 'srgb')), original };
}

async function decodeStored(input: Sharp, header: ImageHeader): Promise<DecodedImage> {
  // cv2 applies no EXIF rotation here, but cannot leave out libtiff's.
  const turned = header.format === 'tiff' && header.orientation >= 5;
  const original = turned
    ? { width: header.height, height: header.width }
    : { width: header.width, height: header.height };
  if (header.format === 'tiff') orient(input, header.orientation);
  if (header.cmyk) return { ...(await cmykPixels(input)), original };
  const wide = header.depth === 16;
  if (header.channels === 1)
    return { ...(await rawPixels(input.removeAlpha(), wide ? 'grey16' : 'b-w')), original };
  const image = await rawPixels(input, wide ? 'rgb16' : 'srgb');
  if (header.straightAlpha === true && image.data instanceof Uint8Array) await premultiply(image.data);
  return { ...image, original };
}

/** The decoder reduces by 2, 4 or 8, and the library uses that only where it has to reduce further afterwards. */
function canShrink(size: DecodedImage['original'], to: DecodedImage['original']): boolean {
  return Math.min(size.width / to.width, size.height / to.height) >= 3;
}

/**
 * Makes the picture upright. The library mirrors before it rotates; by itself it would miss an eXIf after the pixels.
 */
function orient(input: Sharp, orientation: number): void {
  input.flop(orientation === 2 || orientation === 7).flip(orientation === 4 || orientation === 5);
  if (orientation === 3) input.rotate(180);
  if (orientation === 5 || orientation === 6 || orientation === 7) input.rotate(90);
  if (orientation === 8) input.rotate(270);
}

async function cmykPixels(input: Sharp): Promise<RawImage> {
  const inks = await rawPixels(input.pipelineColourspace('cmyk'), 'cmyk');
  return { ...inks, channels: 3, data: await cmykToRgb(inks.data as Uint8Array) };
}

/** 8 bit and three channels, converted as libtiff does it. */
async function tiffToColor(image: RawImage): Promise<Uint8Array> {
  const { data, channels } = image;
  if (data instanceof Uint16Array) return roundTo8(data, channels);
  await premultiply(data);
  return toRgb(image);
}

/**
 * Answers the rendered pixels in a buffer of their own, because Node refuses to transfer the library's. The library's
 * own way to such a buffer, `toUint8Array`, never frees its memory (sharp 0.35.5).
 */
async function rawPixels(
  input: Sharp,
  space: 'srgb' | 'rgb16' | 'b-w' | 'grey16' | 'cmyk',
): Promise<RawImage> {
  const wide = space === 'rgb16' || space === 'grey16';
  const pipeline = input.toColourspace(space).raw({ depth: wide ? 'ushort' : 'uchar' });
  const { data, info } = await pipeline.toBuffer({ resolveWithObject: true });
  const own = await ownedCopy(data);
  return {
    width: info.width,
    height: info.height,
    channels: info.channels as RawImage['channels'],
    data: wide ? new Uint16Array(own.buffer) : own,
  };
}
