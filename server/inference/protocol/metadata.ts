import type { ModelStatus, TensorInfo } from '@steadyhand/inference';
import type { ListedModel, ModelConfig, ModelMetadata, RepositoryEntry } from './shapes.ts';

/** What of Triton's extensions is there. */
export const EXTENSIONS = [
  'binary_tensor_data',
  'classification',
  'model_configuration',
  'model_repository',
  'statistics',
] as const;

/** `GET /v2/models/{model}`. A size that may vary is -1. */
export function modelMetadata({ name, version, kind, inputs, outputs }: ModelStatus): ModelMetadata {
  return {
    name,
    versions: version === '' ? [] : [version],
    platform: kind === 'ocr' ? 'steadyhand_ocr' : 'onnx_onnxv1',
    inputs: inputs.map(tensorMetadata),
    outputs: outputs.map(tensorMetadata),
  };
}

function tensorMetadata({ name, datatype, shape }: TensorInfo): ModelMetadata['inputs'][number] {
  return { name, datatype, shape };
}

/** `GET /v2/models/{model}/config`, in the words of Triton's model configuration. */
export function modelConfig({ name, kind, inputs, outputs }: ModelStatus): ModelConfig {
  const tensor = ({ name: tensorName, datatype, shape }: TensorInfo): ModelConfig['input'][number] => ({
    name: tensorName,
    data_type: `TYPE_${datatype === 'BYTES' ? 'STRING' : datatype}`,
    dims: shape,
  });
  return {
    name,
    platform: kind === 'ocr' ? 'steadyhand_ocr' : 'onnxruntime_onnx',
    backend: kind === 'ocr' ? 'steadyhand' : 'onnxruntime',
    // The tensors' own first axis is the batch.
    max_batch_size: 0,
    input: inputs.map(tensor),
    output: outputs.map(tensor),
  };
}

/** A model in `GET /v2/models`. */
export function listedModel(status: ModelStatus, defaultModel: string): ListedModel {
  const { name, version, state, reason, kind, source, spec } = status;
  const task = kind === 'ocr' ? 'ocr' : (spec?.task ?? null);
  return { name, version, state, reason, kind, source, task, default: name === defaultModel };
}

const REPOSITORY_STATES = {
  ready: 'READY',
  loading: 'LOADING',
  refused: 'UNAVAILABLE',
  unloaded: 'UNAVAILABLE',
} as const satisfies Record<ModelStatus['state'], string>;

/** A model in `POST /v2/repository/index`. */
export function indexEntry({ name, version, state, reason }: ModelStatus): RepositoryEntry {
  return {
    name,
    version,
    state: REPOSITORY_STATES[state],
    reason: reason ?? (state === 'unloaded' ? 'unloaded' : ''),
  };
}
