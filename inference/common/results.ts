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

/** A word of a line: no space in it. */
export interface TextWord {
  readonly text: string;
  readonly box: Box;
}

/** A line of text. The polygon's corners go clockwise from the top left, in pixels of the source image. */
export interface TextLine {
  readonly text: string;
  readonly score: number;
  readonly box: Box;
  readonly polygon: readonly (readonly [x: number, y: number])[];
  /** From the left; joined by spaces they are `text`. Absent where nothing tells where the words stand. */
  readonly words?: readonly TextWord[];
}

/** Which results are wanted; what is absent is the model's own. */
export interface Filters {
  readonly score?: number;
  readonly iou?: number;
  /** By index or by name. */
  readonly classes?: readonly (number | string)[];
  readonly max?: number;
}

export interface TensorStats {
  readonly name: string;
  readonly datatype: string;
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
