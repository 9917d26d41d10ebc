export { createInference, type InferenceLog, type InferenceOptions } from './create-inference.ts';
export {
  INFERENCE_ERRORS,
  InferenceError,
  ModelRefusedError,
  type InferenceErrorCode,
} from './common/errors.ts';
export type {
  Analysis,
  AnalyzeRequest,
  InferRequest,
  InferResult,
  Inference,
  InferenceObserver,
} from './inference.ts';
export type { ModelStatus } from './registry/model-entry.ts';
export type {
  Box,
  Classification,
  Detection,
  Filters,
  TensorStats,
  TextLine,
  Timings,
} from './common/results.ts';
export type { Datatype, Tensor, TensorData, TensorInfo } from './common/tensor.ts';
export { modelThreads } from './runtime/model-worker.ts';
export { decodeImage } from './images/decode-image.ts';
export { drawDetections } from './images/draw.ts';
export { encodeImage, pngStream } from './images/encode-image.ts';
export { IMAGE_FORMATS } from './images/image-format.ts';
export { DEFAULT_IMAGE_LIMITS } from './images/limits.ts';
export type { RawImage } from './images/raw-image.ts';
export { type VectorImageOptions, renderVector } from './images/render-vector.ts';
export { blockOtherLoaders, imageConcurrency, loadSharp } from './images/sharp.ts';
