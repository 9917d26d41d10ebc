import type { Tensor, TensorInfo } from '../common/tensor.ts';
import type { ModelSpec } from './model-spec.ts';
import type { Placement } from '../preprocess/placement.ts';
import type { Classification, Detection, Filters, TextLine } from '../common/results.ts';

/** The second input of RT-DETR and D-FINE: the size, width first, that the boxes shall be in. */
export const SIZES_INPUT = 'orig_target_sizes';

export function isSizesInput({ name, datatype, shape }: TensorInfo): boolean {
  const [batch = -1, two = -1] = shape;
  const fits =
    (shape.length === 2 || shape.length === 0) && (batch === 1 || batch < 0) && (two === 2 || two < 0);
  return name === SIZES_INPUT && datatype === 'INT64' && fits;
}

/** Answers the inputs beside the image, filled for one image. Most models have none. */
export function extraInputs(spec: ModelSpec, context: RunContext): Tensor[] {
  return context.inputs.filter(isSizesInput).map(({ name, datatype }) => {
    const { width, height } = targetSize(spec, context);
    return { name, datatype, shape: [1, 2], data: BigInt64Array.of(BigInt(width), BigInt(height)) };
  });
}

/**
 * Answers the size that boxes are in: that of the source for a stretched image, that of the input for a letterboxed
 * one.
 */
export function targetSize(
  { image: input }: ModelSpec,
  { image, inputs }: RunContext,
): { readonly width: number; readonly height: number; readonly frame: 'source' | 'input' } {
  if (input === null) return { ...image, frame: 'source' };
  return input.fit === 'stretch' && inputs.some(isSizesInput)
    ? { ...image, frame: 'source' }
    : { width: input.width, height: input.height, frame: 'input' };
}

/** What has to be known of one image to decode a model's outputs for it. */
export interface RunContext {
  /** The model's inputs; the image's is the first. */
  readonly inputs: readonly TensorInfo[];
  /** The source image in pixels; boxes are in its frame. */
  readonly image: { readonly width: number; readonly height: number };
  /** Where the image lies in the model's input. */
  readonly placement: Placement;
  readonly filters?: Filters;
}

/** `detections` for tasks that find boxes, `lines` for text, with or without boxes, and `classes` for `classify`. */
export interface Decoded {
  readonly detections?: readonly Detection[];
  readonly lines?: readonly TextLine[];
  readonly classes?: readonly Classification[];
}
