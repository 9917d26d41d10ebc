import type { NonMaxSuppression } from '../onnx/onnx-facts.ts';
import type { ImageInput } from '../preprocess/image-input.ts';

export const TASKS = ['detect', 'classify', 'ocr-detect', 'ocr-recognize', 'tensor'] as const;

/** What a model's answer means. */
export type Task = (typeof TASKS)[number];

export const LAYOUTS = [
  'yolov5',
  'yolov8',
  'yolov10',
  'yolox-raw',
  'yolox',
  'rtdetr',
  'rfdetr',
  'detr',
  'nanodet',
  'nms',
  'db',
  'ctc',
] as const;

/** How a model lays out its answer; see docs/model-layouts.md. */
export type Layout = (typeof LAYOUTS)[number];

export interface Thresholds {
  readonly score: number;
  readonly iou: number;
  readonly maxDetections: number;
}

/** All that is needed to serve a model, from its file and its sidecar. */
export interface ModelSpec {
  readonly task: Task;
  /** Null for the tasks `classify` and `tensor`. */
  readonly layout: Layout | null;
  /** Class names by index; null where neither the sidecar nor the file has any. */
  readonly labels: readonly string[] | null;
  /** Null where the first input takes no image; the model then takes tensors alone. */
  readonly image: ImageInput | null;
  /** Why `image` is null. */
  readonly noImage?: string;
  readonly thresholds: Thresholds;
  readonly hints?: DecodeHints;
}

/** What the file's graph says about its outputs where the layout leaves it open. */
export interface DecodeHints {
  /** For the layout `nms`. */
  readonly nms?: NonMaxSuppression;
  /** For the task `classify`: the scores come out of a Softmax or Sigmoid. */
  readonly probabilities?: boolean;
}
