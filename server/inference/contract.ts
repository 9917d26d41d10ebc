import type { Classification, Detection, TensorStats, TextLine, Timings } from '@steadyhand/inference';

/**
 * The answer of `POST /analyze`. Boxes are in pixels of the image after its EXIF rotation.
 * - `detections`: for tasks that find boxes; `lines` beside it for models of text
 * - `classes`: for `classify`, best first
 * - `outputs`: tensors for models of unknown layout and for `output=raw`, their figures for `output=stats`
 */
export interface AnalyzeAnswer {
  readonly model: string;
  readonly image: { readonly width: number; readonly height: number };
  readonly detections?: readonly Detection[];
  readonly lines?: readonly Pick<TextLine, 'text' | 'score' | 'box' | 'polygon'>[];
  readonly classes?: readonly Classification[];
  readonly outputs?: readonly TensorAnswer[] | readonly TensorStatsAnswer[];
  readonly timings: Timings;
}

/** `data` in row-major order, null for what is not finite; with `encoding=base64` little-endian `data_base64` instead. */
export interface TensorAnswer {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data?: readonly (number | boolean | string | null)[];
  readonly data_base64?: string;
}

/** Null where the figure is not finite. */
export type TensorStatsAnswer = Omit<TensorStats, 'min' | 'max' | 'mean'> & {
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
};

/** The answer of `GET /analyze`: what a model is and how it is asked. */
export interface ModelCard {
  readonly model: string;
  readonly version: string;
  readonly state: 'loading' | 'ready' | 'refused' | 'unloaded';
  readonly reason: string | null;
  readonly default: boolean;
  readonly kind: 'onnx' | 'ocr';
  readonly task: string | null;
  readonly layout: string | null;
  /** How many classes have names; null when none has. */
  readonly labels: number | null;
  readonly input: { readonly width: number; readonly height: number; readonly channels: number } | null;
  readonly thresholds: { readonly score: number; readonly iou: number; readonly max: number } | null;
  readonly request: {
    readonly method: 'POST';
    readonly path: string;
    readonly content_type: 'multipart/form-data';
    readonly file_field: 'file';
    readonly formats: readonly string[];
    readonly max_bytes: number;
    readonly max_pixels: number;
    readonly output: readonly string[];
    readonly encoding: readonly string[];
    readonly decode: readonly string[];
  };
}
