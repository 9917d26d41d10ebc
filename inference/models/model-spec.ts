import type { ImageInput } from '../preprocess/image-input.ts';

/** What a model's answer means. */
export type Task = 'detect' | 'classify' | 'ocr-detect' | 'ocr-recognize' | 'tensor';

/** How a model lays out its answer; see docs/models.md. */
export type Layout =
  | 'yolov5'
  | 'yolov8'
  | 'yolov10'
  | 'yolox-raw'
  | 'yolox'
  | 'rtdetr'
  | 'rfdetr'
  | 'detr'
  | 'nanodet'
  | 'nms'
  | 'db'
  | 'ctc';

export interface Thresholds {
  readonly score: number;
  readonly iou: number;
  readonly maxDetections: number;
}

/** A model file's own facts and its sidecar, brought together: all that is needed to serve it. */
export interface ModelSpec {
  readonly task: Task;
  /** Null for the tasks `classify` and `tensor`. */
  readonly layout: Layout | null;
  /** Class names by index; null where neither the sidecar nor the file has any. */
  readonly labels: readonly string[] | null;
  /** Null when the first input takes no image; then the model answers to tensors alone. */
  readonly image: ImageInput | null;
  /** Why `image` is null. */
  readonly noImage?: string;
  readonly thresholds: Thresholds;
  readonly hints?: DecodeHints;
}

/** What the file's graph says of its answer where the layout leaves it open. */
export interface DecodeHints {
  /** Layout `nms`: the outputs that were given to NonMaxSuppression. */
  readonly nms?: {
    readonly boxes: string;
    readonly scores: string;
    /** `yxyx`: `[y1, x1, y2, x2]`, as ONNX writes them; `cxcywh`: centre and size. */
    readonly format: 'yxyx' | 'cxcywh';
  };
  /** Task `classify`: the scores come out of a Softmax or Sigmoid. */
  readonly probabilities?: boolean;
}
