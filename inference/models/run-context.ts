import type { Placement } from '../preprocess/placement.ts';
import type { Classification, Detection, Filters, TextLine } from '../common/results.ts';
import type { TensorInfo } from '../common/tensor.ts';

/** What a model's answer to one image is read against. */
export interface RunContext {
  /** The model's inputs, the image's first. */
  readonly inputs: readonly TensorInfo[];
  /** The source image in pixels; boxes are in its frame. */
  readonly image: { readonly width: number; readonly height: number };
  /** Where it lies in the model's input. */
  readonly placement: Placement;
  readonly filters?: Filters;
}

/** `detections` for the tasks that find boxes, `lines` beside or instead for text, `classes` for `classify`. */
export interface Decoded {
  readonly detections?: readonly Detection[];
  readonly lines?: readonly TextLine[];
  readonly classes?: readonly Classification[];
}
