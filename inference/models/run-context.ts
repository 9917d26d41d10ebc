import type { Placement } from '../preprocess/placement.ts';
import type { Classification, Detection, Filters, TextLine } from '../common/results.ts';
import type { TensorInfo } from '../common/tensor.ts';

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
