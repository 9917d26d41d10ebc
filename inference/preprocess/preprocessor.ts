import type { RawImage } from '../images/raw-image.ts';
import type { ImageInput } from './image-input.ts';
import type { Placement, Region } from './placement.ts';

/** A model's image input. `data` is the preprocessor's own buffer, which the next call overwrites. */
export interface Prepared {
  /** The values in the order of `shape`, FP16 as its bits. */
  readonly data: Float32Array | Uint16Array | Uint8Array;
  readonly shape: readonly [1, channels: number, height: number, width: number];
  /** It maps the whole image's pixels, also where only a region of it was taken. */
  readonly placement: Placement;
}

/**
 * Makes tensors from pixels, by area interpolation that equals OpenCV's INTER_AREA bit for bit. It blocks its thread,
 * so it is for worker threads.
 */
export interface Preprocessor {
  /**
   * Takes the whole image, or a region of it as if that had been cut out first.
   * @throws {InferenceError} image_unsuitable when the image has other channels than the model takes
   */
  prepare(image: RawImage, input: ImageInput, region?: Region): Prepared;
  /** Resizes; channels, their order and the depth stay. The result has a buffer of its own. */
  resize(image: RawImage, width: number, height: number, region?: Region): RawImage;
}
