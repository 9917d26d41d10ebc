export { createInference, type InferenceLog, type InferenceOptions } from './create-inference.ts';
export { INFERENCE_ERRORS, InferenceError, ModelRefused, type InferenceErrorCode } from './errors.ts';
export type {
  Analysis,
  AnalyzeRequest,
  InferRequest,
  InferResult,
  Inference,
  InferenceObserver,
  ModelStatus,
} from './inference.ts';
export type { Box, Classification, Detection, Filters, TensorStats, TextLine, Timings } from './results.ts';
export type { Datatype, Tensor, TensorData, TensorInfo } from './tensor.ts';
export { modelThreads } from './runtime/model-worker.ts';
