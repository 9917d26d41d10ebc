import { InferenceError } from '../common/errors.ts';
import { BrokenHeaderError } from './byte-reader.ts';
import { sniffFormat } from './image-format.ts';
import { readHeader, type ImageHeader } from './image-header.ts';

/** What an image may take; one that needs more is refused. */
export interface ImageLimits {
  /** Width times height, by the header: it is checked before anything is decoded. */
  readonly maxPixels: number;
  /** Milliseconds that decoding may take, not counting the wait for a free thread. */
  readonly maxDecodeMs: number;
}

/** An 8K screen has 33 million pixels, a phone's photograph 12 to 50 million. */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = { maxPixels: 50_000_000, maxDecodeMs: 10_000 };

const ALLOWED = 'JPEG, PNG, WebP and TIFF are read';

/**
 * Answers an image file's format and size, from its header alone: nothing is decoded, so it takes microseconds. Of an
 * animation and of a TIFF with several pages the first picture counts, as in cv2.
 * @throws {InferenceError} format_not_supported, image_too_large, image_unreadable
 */
export function probeImage(bytes: Uint8Array, limits: ImageLimits = DEFAULT_IMAGE_LIMITS): ImageHeader {
  if (bytes.length === 0) throw unreadable('The file is empty');
  const sniffed = sniffFormat(bytes);
  if (!('format' in sniffed)) {
    const what = sniffed.found === null ? 'The file is no known image' : `The file is ${sniffed.found}`;
    throw new InferenceError('format_not_supported', `${what}; ${ALLOWED}`, { field: 'file' });
  }
  const header = headerOf(sniffed.format, bytes);
  const pixels = header.width * header.height;
  if (pixels > limits.maxPixels)
    throw new InferenceError(
      'image_too_large',
      `The image has ${header.width} x ${header.height} pixels (${pixels}); at most ${limits.maxPixels} are allowed`,
      { field: 'file' },
    );
  return header;
}

function headerOf(format: ImageHeader['format'], bytes: Uint8Array): ImageHeader {
  try {
    return readHeader(format, bytes);
  } catch (error) {
    if (error instanceof BrokenHeaderError)
      throw unreadable(`The ${format} file cannot be read: ${error.message}`, error);
    throw error;
  }
}

/** Makes an `image_unreadable` about the uploaded file. */
export function unreadable(message: string, cause?: unknown): InferenceError {
  return new InferenceError('image_unreadable', message, { field: 'file', cause });
}
