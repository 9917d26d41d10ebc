/**
 * Runs the text detector on one picture.
 *
 * @param data normalised pixels `[1, 3, height, width]`, both sides multiples of 32; not kept
 * @returns `height` rows of `width` probabilities that a pixel belongs to text
 */
export type DetectText = (data: Float32Array, width: number, height: number) => Promise<Float32Array>;

/** A recogniser's answer: for every picture of the batch `steps` rows of `classes` probabilities. */
export interface Recognition {
  readonly data: Float32Array;
  readonly steps: number;
  readonly classes: number;
}

/**
 * Runs the text recogniser on pictures of one line of text each.
 *
 * @param data normalised pixels `[batch, 3, 48, width]`; not kept
 */
export type RecognizeText = (
  data: Float32Array,
  batch: number,
  height: number,
  width: number,
) => Promise<Recognition>;
