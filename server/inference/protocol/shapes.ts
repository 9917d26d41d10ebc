import { z } from 'zod';
import { named } from '../../routing/components.ts';
import type { DeepReadonly } from '../../routing/route.ts';
import { count } from '../../routing/shapes.ts';
import { datatype, modelState } from '../contract.ts';

/** The Open Inference Protocol's own shapes, version 2. */

const size = z.int().min(-1).describe('-1 where it may vary');
const value = z.union([z.number(), z.boolean(), z.string(), z.null()]);

export const serverMetadata = z.object({
  name: z.string(),
  version: z.string(),
  extensions: z.array(z.string()),
});

export const serverLive = z.object({ live: z.boolean() });
export const serverReady = z.object({ ready: z.boolean() });
export const modelReady = z.object({ name: z.string(), ready: z.boolean() });

const listedModel = z.object({
  name: z.string(),
  version: z.string(),
  state: modelState,
  reason: z.string().nullable(),
  kind: z.enum(['onnx', 'ocr']),
  source: z.enum(['builtin', 'file']),
  task: z.string().nullable(),
  default: z.boolean(),
});
export const modelList = z.object({ models: z.array(listedModel) });

const tensorMetadata = z.object({ name: z.string(), datatype, shape: z.array(size) });
export const modelMetadata = z.object({
  name: z.string(),
  versions: z.array(z.string()),
  platform: z.string(),
  inputs: z.array(tensorMetadata),
  outputs: z.array(tensorMetadata),
});

const tensorConfig = z.object({ name: z.string(), data_type: z.string(), dims: z.array(size) });
export const modelConfig = z.object({
  name: z.string(),
  platform: z.string(),
  backend: z.string(),
  max_batch_size: count,
  input: z.array(tensorConfig),
  output: z.array(tensorConfig),
});

const duration = z.object({ count, ns: count });
export const modelStatistics = z.object({
  model_stats: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      last_inference: count.describe('Milliseconds since 1970; 0 for none'),
      inference_count: count,
      execution_count: count,
      inference_stats: z.object({
        success: duration,
        fail: duration,
        queue: duration,
        compute_input: duration,
        compute_infer: duration,
        compute_output: duration,
        cache_hit: duration,
        cache_miss: duration,
      }),
      batch_stats: z.array(z.unknown()),
    }),
  ),
});

/** Nested lists, or one flat list, in row-major order. */
const data = z.array(z.unknown()).describe('Row-major; nested or flat');

export const inferenceRequest = z.looseObject({
  id: z.exactOptional(z.string()),
  parameters: z.exactOptional(
    z.looseObject({
      timeout: z.exactOptional(count.describe('Microseconds')),
      binary_data_output: z.exactOptional(z.boolean()),
    }),
  ),
  inputs: z
    .array(
      z.looseObject({
        name: z.string(),
        shape: z.array(count),
        datatype,
        parameters: z.exactOptional(z.looseObject({ binary_data_size: z.exactOptional(count) })),
        data: z.exactOptional(data),
      }),
    )
    .max(64),
  outputs: z.exactOptional(
    z.array(
      z.looseObject({
        name: z.string(),
        parameters: z.exactOptional(
          z.looseObject({
            binary_data: z.exactOptional(z.boolean()),
            classification: z.exactOptional(
              count.describe('So many of the best classes in place of the tensor'),
            ),
          }),
        ),
      }),
    ),
  ),
});

export const inferenceResponse = z.object({
  model_name: z.string(),
  model_version: z.string(),
  id: z.exactOptional(z.string()),
  outputs: z.array(
    z.object({
      name: z.string(),
      datatype,
      shape: z.array(count),
      parameters: z.exactOptional(z.object({ binary_data_size: count })),
      data: z.exactOptional(z.array(value)),
    }),
  ),
});

export const repositoryIndexRequest = z.looseObject({ ready: z.exactOptional(z.boolean()) });
export const repositoryIndex = z.array(
  z.object({
    name: z.string(),
    version: z.string(),
    state: z.enum(['READY', 'LOADING', 'UNAVAILABLE']),
    reason: z.string(),
  }),
);
export const repositoryRequest = z.looseObject({ parameters: z.exactOptional(z.looseObject({})) });
export const nothing = z.object({});

export const protocolError = z.object({ error: z.string() });

export type ModelMetadata = DeepReadonly<z.output<typeof modelMetadata>>;
export type ModelConfig = DeepReadonly<z.output<typeof modelConfig>>;
export type ModelStatistics = DeepReadonly<z.output<typeof modelStatistics>>['model_stats'][number];
export type ListedModel = DeepReadonly<z.output<typeof listedModel>>;
export type RepositoryEntry = DeepReadonly<z.output<typeof repositoryIndex>>[number];

named({
  serverMetadata,
  serverLive,
  serverReady,
  modelReady,
  modelList,
  modelMetadata,
  modelConfig,
  modelStatistics,
  inferenceRequest,
  inferenceResponse,
  repositoryIndex,
  protocolError,
});
