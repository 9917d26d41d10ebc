import { InferenceError } from '../common/errors.ts';
import { BrokenHeaderError } from './byte-reader.ts';
import { sniffFormat } from './image-format.ts';
import { readHeader, type ImageHeader } from './image-header.ts';
import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from './limits.ts';

const ALLOWED = 'JPEG, PNG, WebP and TIFF are read';

/**
 * What an image file is and how large, from its header alone: nothing is decoded, so it costs microseconds. Of an
 * animation or a TIFF of several pages the first picture counts, as in cv2.
 * @throws {InferenceError} format_not_supported, image_too_large, image_unreadable
 */
export function probeImage(bytes: Uint8Array, limits: ImageLimits = DEFAULT_IMAGE_LIMITS): ImageHeader {
  if (bytes.length === 0) throw unreadable('The file is empty');
  const sniffed = sniffFormat(bytes);
  if (!('format' in sniffed)) {
    const what = sniffed.found === null ? 'The file is no known image' : `The file is ${sniffed.found}`;
    throw new InferenceError('format_not_supported', `${what}; ${ALLOWED}`, { field: 'file' });
  }
  const header = readOrRefuse(sniffed.format, bytes);
  const pixels = header.width * header.height;
  if (pixels > limits.maxPixels)
    throw new InferenceError(
      'image_too_large',
      `The image has ${header.width} x ${header.height} pixels (${pixels}); at most ${limits.maxPixels} are allowed`,
      { field: 'file' },
    );
  return header;
}

function readOrRefuse(format: ImageHeader['format'], bytes: Uint8Array): ImageHeader {
  try {
    return readHeader(format, bytes);
  } catch (error) {
    if (error instanceof BrokenHeaderError)
      throw unreadable(`The ${format} file cannot be read: ${error.message}`, error);
    throw error;
  }
}

/** An `image_unreadable` about the uploaded file. */
export function unreadable(message: string, cause?: unknown): InferenceError {
  return new InferenceError('image_unreadable', message, { field: 'file', cause });
}
