import type { RawImage } from '../images/raw-image.ts';
import type { ImageInput } from './image-input.ts';
import type { Placement, Region } from './placement.ts';

/** A model's image input. `data` is the preprocessor's own buffer: it holds until the next call. */
export interface Prepared {
  /** Channels first: `[1, channels, height, width]`. FP16 as its bits. */
  readonly data: Float32Array | Uint16Array | Uint8Array;
  readonly shape: readonly [1, channels: number, height: number, width: number];
  /** From the whole image's pixels, also when only a region of it was taken. */
  readonly placement: Placement;
}

/** Pixels to tensors, by area interpolation, bit for bit as OpenCV's INTER_AREA. Blocks its thread: for workers. */
export interface Preprocessor {
  /**
   * Takes the whole image, or the region of it as if that had been cut out first.
   * @throws {InferenceError} image_unsuitable when the image has other channels than the model takes
   */
  prepare(image: RawImage, input: ImageInput, region?: Region): Prepared;
  /** The same pixels at another size; channels, depth and their order stay. The result is a copy of its own. */
  resize(image: RawImage, width: number, height: number, region?: Region): RawImage;
}
