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

/** How an image becomes the model's first input: `[1, channels, height, width]`. */
export interface ImageInput {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly datatype: 'FP32' | 'FP16' | 'UINT8';
  readonly read: 'color' | 'unchanged';
  readonly color: 'bgr' | 'rgb';
  /** value = (pixel * scale - mean) / std, one entry a channel, in the order of `color`. */
  readonly scale: readonly number[];
  readonly mean: readonly number[];
  readonly std: readonly number[];
  readonly fit: 'stretch' | 'letterbox';
  readonly align: 'center' | 'top-left';
  /** The sample value, before `scale`, of what a letterboxed image leaves free. */
  readonly pad: number;
}

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
