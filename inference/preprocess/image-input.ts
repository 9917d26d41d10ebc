/** How an image becomes the model's first input: `[1, channels, height, width]`. */
export interface ImageInput {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly datatype: 'FP32' | 'FP16' | 'UINT8';
  readonly read: 'color' | 'unchanged';
  readonly color: 'bgr' | 'rgb';
  /** `value = (pixel * scale - mean) / std`, with one entry for each channel in the order of `color`. */
  readonly scale: readonly number[];
  readonly mean: readonly number[];
  readonly std: readonly number[];
  readonly fit: 'stretch' | 'letterbox';
  readonly align: 'center' | 'top-left';
  /** The sample, before `scale`, that fills what a letterboxed image leaves free. */
  readonly pad: number;
}
