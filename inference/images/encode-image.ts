import { Readable } from 'node:stream';
import type { Sharp } from 'sharp';
import type { RawImage } from './raw-image.ts';
import { imageConcurrency, loadSharp } from './sharp.ts';

type EncodedFormat = 'png' | 'jpeg' | 'webp';

export interface EncodeOptions {
  readonly format: EncodedFormat;
  /** 1 to 100 for JPEG and WebP. Default 100. */
  readonly quality?: number;
  /** JPEG's colour resolution: `4:4:4` (default) keeps it whole, `4:2:0` halves it both ways. */
  readonly chroma?: '4:4:4' | '4:2:0';
  readonly signal?: AbortSignal;
}

/**
 * It takes a third of the time of zlib's default 6, for files a few percent larger (measured on screenshots and
 * photographs).
 */
const PNG_LEVEL = 3;

/**
 * Encodes pixels as a file, on a thread of libuv's pool. PNG keeps channels and depth; WebP and JPEG have 8 bit, and
 * JPEG has no alpha (it is left out, not blended). The pixels are read in place and must not change until it is over.
 */
export async function encodeImage(image: RawImage, options: EncodeOptions): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { width, height, channels } = image;
  const encode = async (): Promise<Uint8Array> => {
    const input = sharp(image.data, { raw: { width, height, channels }, limitInputPixels: false });
    return await inFormat(input, image, options).toBuffer();
  };
  return imageConcurrency.run(encode, { signal: options.signal });
}

function inFormat(input: Sharp, image: RawImage, options: EncodeOptions): Sharp {
  const quality = options.quality ?? 100;
  const wide = image.data.BYTES_PER_ELEMENT === 2;
  switch (options.format) {
    case 'png':
      input.toColourspace(image.channels < 3 ? (wide ? 'grey16' : 'b-w') : wide ? 'rgb16' : 'srgb');
      return input.png({ compressionLevel: PNG_LEVEL });
    case 'jpeg':
      return input.removeAlpha().jpeg({ quality, chromaSubsampling: options.chroma ?? '4:4:4' });
    case 'webp':
      return input.webp({ quality, exact: true });
  }
}

/** Bytes of a chunk of `pngStream`. */
const CHUNK = 64 * 1024;

/** Makes the picture as a PNG file in chunks. It is encoded when the first one is read. */
export function pngStream(image: RawImage): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const file = await encodeImage(image, { format: 'png' });
    for (let at = 0; at < file.length; at += CHUNK) yield file.subarray(at, at + CHUNK);
  }
  return Readable.from(chunks(), { objectMode: false });
}
