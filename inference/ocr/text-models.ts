/**
 * Runs the text detector on one picture.
 *
 * @param data normalised pixels `[1, 3, height, width]`, both sides multiples of 32; the call may take the buffer
 * @returns `height` rows of `width` probabilities that a pixel belongs to text
 */
export type DetectText = (data: Float32Array, width: number, height: number) => Promise<Float32Array>;

/** The recogniser's output: `steps` rows of `classes` probabilities. */
export interface Recognition {
  readonly data: Float32Array;
  readonly steps: number;
  readonly classes: number;
}

/**
 * Runs the text recogniser on a picture of one line of text.
 *
 * @param data normalised pixels `[1, 3, 48, width]`; the call may take the buffer
 */
export type RecognizeText = (data: Float32Array, width: number) => Promise<Recognition>;
