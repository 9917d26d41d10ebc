export { createInference, type InferenceOptions } from './create-inference.ts';
export type { Analysis, InferRequest, InferResult, Inference } from './inference.ts';
export type { ModelStatus } from './registry/model-entry.ts';
export { modelThreads } from './runtime/model-worker.ts';

export { INFERENCE_ERRORS, InferenceError, ModelRefusedError } from './common/errors.ts';
export type {
  Box,
  Classification,
  Detection,
  Filters,
  TensorStats,
  TextLine,
  Timings,
} from './common/results.ts';
export {
  type Datatype,
  halfToNumber,
  type Tensor,
  type TensorData,
  type TensorInfo,
} from './common/tensor.ts';

export { decodeImage } from './images/decode-image.ts';
export { drawDetections } from './images/draw.ts';
export { encodeImage, pngStream } from './images/encode-image.ts';
export { IMAGE_FORMATS } from './images/image-format.ts';
export { DEFAULT_IMAGE_LIMITS } from './images/probe-image.ts';
export type { RawImage } from './images/raw-image.ts';
export { renderVector, type VectorImageOptions } from './images/render-vector.ts';
export { blockOtherLoaders, imageConcurrency, loadSharp } from './images/sharp.ts';
