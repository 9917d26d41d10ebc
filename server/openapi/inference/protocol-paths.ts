import { z } from 'zod';
import type { Components } from '../components.ts';
import { type Content, type Operation, type Parameter, type Paths, pathParameter } from '../document.ts';
import { type Described, described, jsonAnswer } from './operations.ts';
import * as shape from './protocol-shapes.ts';

const TAG = 'Open Inference Protocol';

const MODEL = pathParameter('model', 'A model’s name', { type: 'string', title: 'Model' });
const VERSION = pathParameter('version', 'The version it serves; any other is not found', {
  type: 'string',
  title: 'Version',
});

const HEADER_LENGTH: Parameter = {
  name: 'Inference-Header-Content-Length',
  in: 'header',
  required: false,
  description: 'Bytes of the JSON that the binary data follows',
  schema: { type: 'integer', minimum: 0 },
};

const INFER_EXAMPLE = {
  inputs: [{ name: 'x', shape: [1, 3, 1, 2], datatype: 'FP32', data: [0, 0.5, 1, 0, 0.5, 1] }],
  outputs: [{ name: 'y', parameters: { binary_data: false } }],
};

const NO_MODEL = { 404: 'no such model' };
const LOADING = { 503: 'the model does not serve' };

/** `/v2`: the Open Inference Protocol with Triton's extensions. Its errors are `{"error": "…"}`. */
export function protocolPaths(components: Components): Paths {
  const operation = (
    name: string,
    path: string,
    method: 'get' | 'post',
    told: Omit<Described, 'tag' | 'answer'> & { readonly answer: z.ZodType | Described['answer'] },
  ): Operation =>
    described(name, path, method, {
      ...told,
      tag: TAG,
      errorSchema: 'ProtocolError',
      answer: told.answer instanceof z.ZodType ? jsonAnswer(components, told.answer) : told.answer,
    });
  const get = (name: string, path: string, told: Parameters<typeof operation>[3]): Paths[string] => ({
    get: operation(name, path, 'get', told),
  });
  const post = (name: string, path: string, told: Parameters<typeof operation>[3]): Paths[string] => ({
    post: operation(name, path, 'post', told),
  });
  const json = (schema: z.ZodType, example: unknown): Content => ({
    'application/json': { schema: components.of(schema), example },
  });
  const binary = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };

  const ofModel = (suffix: string): readonly (readonly [string, readonly Parameter[], string])[] => [
    [`/v2/models/{model}${suffix}`, [MODEL], 'model'],
    [`/v2/models/{model}/versions/{version}${suffix}`, [MODEL, VERSION], 'model_version'],
  ];
  const forEach = (
    suffix: string,
    make: (path: string, parameters: readonly Parameter[], name: string) => Paths[string],
  ): Paths =>
    Object.fromEntries(
      ofModel(suffix).map(([path, parameters, name]) => [path, make(path, parameters, name)]),
    );

  return {
    '/v2': get('server_metadata', '/v2', { answer: shape.serverMetadata }),
    '/v2/health/live': get('server_live', '/v2/health/live', {
      description: 'Open without a key.',
      answer: shape.live,
      open: true,
    }),
    '/v2/health/ready': get('server_ready', '/v2/health/ready', {
      description:
        'Whether every model has been loaded or refused, and the default model serves. Open without a key.',
      answer: shape.ready,
      open: true,
      unready: 'ServerReady',
    }),
    '/v2/models': get('list_models', '/v2/models', {
      description: 'Every model and where it stands; ours.',
      answer: shape.modelList,
    }),
    '/v2/models/stats': get('statistics', '/v2/models/stats', { answer: shape.modelStatistics }),
    ...forEach('', (path, parameters, name) =>
      get(`${name}_metadata`, path, {
        parameters,
        answer: shape.modelMetadata,
        errors: { ...NO_MODEL, ...LOADING },
      }),
    ),
    ...forEach('/ready', (path, parameters, name) =>
      get(`${name}_ready`, path, {
        parameters,
        answer: shape.modelReady,
        errors: NO_MODEL,
        unready: 'ModelReady',
      }),
    ),
    ...forEach('/config', (path, parameters, name) =>
      get(`${name}_config`, path, {
        parameters,
        answer: shape.modelConfig,
        errors: { ...NO_MODEL, ...LOADING },
      }),
    ),
    ...forEach('/stats', (path, parameters, name) =>
      get(`${name}_statistics`, path, { parameters, answer: shape.modelStatistics, errors: NO_MODEL }),
    ),
    ...forEach('/infer', (path, parameters, name) =>
      post(`${name}_infer`, path, {
        description:
          'Tensors in, tensors out. With the binary tensor data extension the JSON is followed by the tensors’ bytes.',
        parameters: [...parameters, HEADER_LENGTH],
        body: { ...json(shape.inferenceRequest, INFER_EXAMPLE), 'application/octet-stream': binary },
        answer: {
          description: 'Successful Response',
          headers: {
            'Inference-Header-Content-Length': {
              description: 'Bytes of the JSON, when binary data follows it',
              schema: { type: 'integer' },
            },
          },
          content: {
            'application/json': { schema: components.of(shape.inferenceResponse) },
            'application/octet-stream': binary,
          },
        },
        errors: {
          400: 'the tensors are not what the model takes',
          ...NO_MODEL,
          408: 'the body did not arrive in time',
          413: 'too many bytes',
          500: 'the runtime refused to run the model',
          503: 'too many requests wait, the time ran out, or the model does not serve',
        },
      }),
    ),
    '/v2/repository/index': post('repository_index', '/v2/repository/index', {
      bodyRequired: false,
      body: json(shape.repositoryIndexRequest, { ready: true }),
      answer: shape.repositoryIndex,
      errors: { 400: undefined },
    }),
    '/v2/repository/models/{model}/load': post('load_model', '/v2/repository/models/{model}/load', {
      description: 'Reads the model’s files again and serves them; the old ones serve until then.',
      parameters: [MODEL],
      bodyRequired: false,
      body: json(shape.repositoryRequest, {}),
      answer: shape.nothing,
      errors: { 400: 'the files are refused', ...NO_MODEL },
    }),
    '/v2/repository/models/{model}/unload': post('unload_model', '/v2/repository/models/{model}/unload', {
      description: 'Ends the model’s workers, which frees its memory.',
      parameters: [MODEL],
      bodyRequired: false,
      body: json(shape.repositoryRequest, {}),
      answer: shape.nothing,
      errors: { 400: undefined, ...NO_MODEL },
    }),
  };
}
