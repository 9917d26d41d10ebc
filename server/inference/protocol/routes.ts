import type { Request, Response } from 'express';
import {
  type Inference,
  type InferRequest,
  ModelRefusedError,
  type ModelStatus,
} from '@steadyhand/inference';
import { isRecord } from '@steadyhand/messages';
import type { BodyReader } from '../../body/body-reader.ts';
import { RequestRefusedError } from '../../body/request-refused.ts';
import { goneSignal } from '../../http/gone-signal.ts';
import { noteForLog } from '../../http/log-fields.ts';
import { createPace } from '../../http/pacing.ts';
import { sendStream } from '../../http/send.ts';
import { count, json, optional } from '../../routing/shapes.ts';
import { type Call, routesOf } from '../../routing/route.ts';
import { rounded } from '../analyze-answer.ts';
import { readProtocolJson } from '../json-body.ts';
import { readInferRequest, type WireRequest } from './infer-request.ts';
import { writeInferResponse } from './infer-response.ts';
import { EXTENSIONS, indexEntry, listedModel, modelConfig, modelMetadata } from './metadata.ts';
import * as shape from './shapes.ts';
import type { Statistics } from './statistics.ts';

export interface ProtocolRouteDeps {
  readonly inference: Inference;
  readonly health: () => { readonly version: string };
  readonly bodies: BodyReader;
  readonly statistics: Statistics;
}

const TAG = 'Open Inference Protocol';
const PARTS = { model: 'A model’s name', version: 'The version it serves; any other is not found' };
const healthRoute = routesOf<Pick<ProtocolRouteDeps, 'inference'>>()(TAG, {});
const route = routesOf<ProtocolRouteDeps>()(TAG, PARTS);

const NO_MODEL = { 404: 'no such model' };
const LOADING = { 503: 'the model does not serve' };
const BINARY = {
  'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
};
const inferenceJson = json(shape.inferenceRequest, {
  inputs: [{ name: 'x', shape: [1, 3, 1, 2], datatype: 'FP32', data: [0, 0.5, 1, 0, 0.5, 1] }],
  outputs: [{ name: 'y', parameters: { binary_data: false } }],
});

/** Whether the server is alive and serves; for probes, which have no key. */
export const protocolHealthRoutes = [
  healthRoute('GET /v2/health/live', 'server_live', 'Server Live', {
    description: 'Open without a key.',
    answer: shape.serverLive,
    open: true,
    handle: (_deps, { res }) => {
      res.set('cache-control', 'no-store');
      return { live: true };
    },
  }),
  healthRoute('GET /v2/health/ready', 'server_ready', 'Server Ready', {
    description:
      'Whether every model has been loaded or refused, and the default model serves. Open without a key.',
    answer: shape.serverReady,
    open: true,
    unready: true,
    handle: ({ inference }, { res }) => {
      const ready = inference.ready();
      res.set('cache-control', 'no-store').status(ready ? 200 : 503);
      return { ready };
    },
  }),
];

/** The routes of one model, by its name or by its name and its version. */
const routesOfModel = (
  path: '/v2/models/{model}' | '/v2/models/{model}/versions/{version}',
  name: string,
  title: string,
) => [
  route(`GET ${path}`, `${name}_metadata`, `${title} Metadata`, {
    answer: shape.modelMetadata,
    errors: { ...NO_MODEL, ...LOADING },
    handle: async (deps, { params }) => modelMetadata(await loadedModelOf(deps, params)),
  }),
  route(`GET ${path}/ready`, `${name}_ready`, `${title} Ready`, {
    answer: shape.modelReady,
    errors: NO_MODEL,
    unready: true,
    handle: (deps, { params, res }) => {
      const status = modelOf(deps, params);
      const ready = status.state === 'ready' || loadsAtFirstUse(status);
      res.status(ready ? 200 : 503);
      return { name: status.name, ready };
    },
  }),
  route(`GET ${path}/config`, `${name}_config`, `${title} Config`, {
    answer: shape.modelConfig,
    errors: { ...NO_MODEL, ...LOADING },
    handle: async (deps, { params }) => modelConfig(await loadedModelOf(deps, params)),
  }),
  route(`GET ${path}/stats`, `${name}_statistics`, `${title} Statistics`, {
    answer: shape.modelStatistics,
    errors: NO_MODEL,
    handle: (deps, { params }) => ({ model_stats: [deps.statistics.of(modelOf(deps, params))] }),
  }),
  route(`POST ${path}/infer`, `${name}_infer`, `${title} Infer`, {
    description:
      'Tensors in, tensors out. With the binary tensor data extension the JSON is followed by the tensors’ bytes.',
    headers: {
      'Inference-Header-Content-Length': count
        .describe('Bytes of the JSON that the binary data follows')
        .optional(),
    },
    body: { required: true, content: (components) => ({ ...inferenceJson.content(components), ...BINARY }) },
    answer: {
      headers: {
        'Inference-Header-Content-Length': {
          description: 'Bytes of the JSON, when binary data follows it',
          schema: { type: 'integer' },
        },
      },
      content: (components) => ({
        'application/json': { schema: components.of(shape.inferenceResponse) },
        ...BINARY,
      }),
    },
    errors: {
      400: 'the tensors are not what the model takes',
      ...NO_MODEL,
      408: 'the body did not arrive in time',
      413: 'too many bytes',
      500: 'the runtime refused to run the model',
      503: 'too many requests wait, the time ran out, or the model does not serve',
    },
    handle: infer,
  }),
];

/**
 * The Open Inference Protocol, version 2, with the binary tensor data, classification, model repository, model
 * configuration and statistics extensions as Triton's clients use them.
 */
export const protocolRoutes = [
  route('GET /v2', 'server_metadata', 'Server Metadata', {
    answer: shape.serverMetadata,
    handle: ({ health }) => ({ name: 'steadyhand', version: health().version, extensions: EXTENSIONS }),
  }),
  route('GET /v2/models', 'list_models', 'List Models', {
    description: 'Every model and where it stands; ours.',
    answer: shape.modelList,
    handle: ({ inference }, { res }) => {
      res.set('cache-control', 'no-store');
      return { models: inference.models().map((status) => listedModel(status, inference.defaultModel)) };
    },
  }),
  route('GET /v2/models/stats', 'statistics', 'Statistics', {
    answer: shape.modelStatistics,
    handle: ({ inference, statistics }) => ({
      model_stats: inference.models().map((status) => statistics.of(status)),
    }),
  }),
  ...routesOfModel('/v2/models/{model}', 'model', 'Model'),
  ...routesOfModel('/v2/models/{model}/versions/{version}', 'model_version', 'Model Version'),
  route('POST /v2/repository/index', 'repository_index', 'Repository Index', {
    body: optional(json(shape.repositoryIndexRequest, { ready: true })),
    answer: shape.repositoryIndex,
    errors: { 400: undefined },
    handle: async ({ inference, bodies }, { req, res }) => {
      const { ready } = await readParameters(req, res, bodies);
      const models = inference.models().filter(({ state }) => ready !== true || state === 'ready');
      return models.map(indexEntry);
    },
  }),
  route('POST /v2/repository/models/{model}/load', 'load_model', 'Load Model', {
    description: 'Reads the model’s files again and serves them; the old ones serve until then.',
    body: optional(json(shape.repositoryRequest, {})),
    answer: shape.nothing,
    errors: { 400: 'the files are refused', ...NO_MODEL },
    handle: async ({ inference, bodies }, { params, req, res }) => {
      const { parameters } = await readParameters(req, res, bodies);
      if (typeof parameters === 'object' && parameters !== null && Object.keys(parameters).length > 0) {
        throw new RequestRefusedError(
          400,
          'parameters: a model is loaded from its files; overrides are not supported',
        );
      }
      try {
        await inference.load(params.model);
      } catch (error) {
        if (error instanceof ModelRefusedError) throw new RequestRefusedError(400, error.message);
        throw error;
      }
      return {};
    },
  }),
  route('POST /v2/repository/models/{model}/unload', 'unload_model', 'Unload Model', {
    description: 'Ends the model’s workers, which frees its memory.',
    body: optional(json(shape.repositoryRequest, {})),
    answer: shape.nothing,
    errors: { 400: undefined, ...NO_MODEL },
    handle: async ({ inference, bodies }, { params, req, res }) => {
      await readParameters(req, res, bodies);
      await inference.unload(params.model);
      return {};
    },
  }),
];

type OfModel = Readonly<{ model: string; version?: string }>;

/** The model a path names, in the version it names, if any. */
function modelOf(
  { inference }: Pick<ProtocolRouteDeps, 'inference'>,
  { model, version }: OfModel,
): ModelStatus {
  const status = inference.model(model);
  if (version !== undefined && version !== status.version) {
    throw new RequestRefusedError(
      404,
      `${status.name} has no version ${version}; it serves ${status.version}`,
    );
  }
  return status;
}

/** The same; one that is loaded at its first use is loaded now, since its tensors are not known before. */
async function loadedModelOf(
  deps: Pick<ProtocolRouteDeps, 'inference'>,
  params: OfModel,
): Promise<ModelStatus> {
  const status = modelOf(deps, params);
  return loadsAtFirstUse(status) ? await deps.inference.load(status.name) : status;
}

async function infer(
  deps: ProtocolRouteDeps,
  { params, req, res }: Call<'model' | 'version', never>,
): Promise<void> {
  const { inference, bodies } = deps;
  const signal = goneSignal(res);
  const status = modelOf(deps, params);
  if (status.kind === 'ocr') throw takesNoTensors(status.name);
  noteForLog(res, { model: status.name });
  const body = await bodies.read(req, res, { inflate: true });
  const pace = createPace(signal);
  const request = await readInferRequest(body, req.get('inference-header-content-length'), pace);
  const result = await inference.infer({ ...toInfer(status.name, request), signal });
  noteForLog(res, { timings: rounded(result.timings) });
  const { labels = null } = inference.model(status.name).spec ?? {};
  const { headerLength, length, pieces } = await writeInferResponse(request, result, labels, pace);
  res.set('content-length', String(length));
  if (headerLength === undefined) res.type('json');
  else {
    res.set('inference-header-content-length', String(headerLength));
    res.type('application/octet-stream');
  }
  await sendStream(res, pieces);
}

/** A shipped model that nobody has asked for yet; one that was unloaded on request has been loaded before. */
function loadsAtFirstUse({ source, state, spec }: ModelStatus): boolean {
  return source === 'builtin' && state === 'unloaded' && spec === null;
}

function takesNoTensors(name: string): RequestRefusedError {
  return new RequestRefusedError(
    400,
    `${name} reads text with two models in a row and takes no tensors: post an image to /analyze?model=${name}, or ` +
      'infer with ocr-detect and ocr-recognize',
  );
}

function toInfer(model: string, { inputs, outputs, timeoutMs }: WireRequest): InferRequest {
  return {
    model,
    inputs,
    ...(outputs === undefined ? {} : { outputs: outputs.map(({ name }) => name) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** The JSON object of a request that may also have no body. */
async function readParameters(
  req: Request,
  res: Response,
  bodies: BodyReader,
): Promise<{ readonly ready?: unknown; readonly parameters?: unknown }> {
  const body = await bodies.read(req, res);
  if (body.length === 0) return {};
  const value = await readProtocolJson(body, createPace());
  if (isRecord(value)) return value;
  throw new RequestRefusedError(400, 'the request: expected an object');
}
