import type { Datatype } from './tensor.ts';

/** `[x1, y1, x2, y2]` in pixels of the source image, clipped to it. */
export type Box = readonly [x1: number, y1: number, x2: number, y2: number];

export interface Detection {
  readonly box: Box;
  readonly label: string;
  readonly class_id: number;
  /** 0 to 1. */
  readonly score: number;
}

export interface Classification {
  readonly label: string;
  readonly class_id: number;
  readonly score: number;
}

/** A word of a line has no space in it. */
interface TextWord {
  readonly text: string;
  readonly box: Box;
}

/** A line of text. Its polygon's corners run clockwise from the top left, in pixels of the source image. */
export interface TextLine {
  readonly text: string;
  readonly score: number;
  readonly box: Box;
  readonly polygon: readonly (readonly [x: number, y: number])[];
  /** The words from the left; joined by spaces they are `text`. They are absent where their places are not known. */
  readonly words?: readonly TextWord[];
}

/** Which results are wanted. The model's own thresholds hold for what is absent. */
export interface Filters {
  readonly score?: number;
  readonly iou?: number;
  /** Classes by index or by name. */
  readonly classes?: readonly (number | string)[];
  readonly max?: number;
}

export interface TensorStats {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** Milliseconds of each stage. */
export interface Timings {
  readonly decode_ms: number;
  readonly queue_ms: number;
  readonly preprocess_ms: number;
  readonly inference_ms: number;
  readonly postprocess_ms: number;
  readonly total_ms: number;
}
