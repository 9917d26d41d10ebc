import type { Base64ImageSource } from '../api/api-types.ts';
import type { Size } from '../models/image-limits.ts';

/**
 * Scales pictures off the event loop. The same picture and size give the same bytes, so that prompt caches keep
 * hitting.
 */
export interface PictureScaler {
  /** @throws {PictureNotScaledError} when the picture cannot be read. */
  scale(source: Base64ImageSource, size: Size, signal: AbortSignal): Promise<Base64ImageSource>;
}

/** The picture cannot be read by the image library. */
export class PictureNotScaledError extends Error {
  override readonly name = 'PictureNotScaledError';
}
