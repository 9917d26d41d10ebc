import { type Request, type Response, Router } from 'express';
import { ModelRefused } from '../../../inference/errors.ts';
import type { InferRequest, ModelStatus } from '../../../inference/inference.ts';
import type { ServerDeps } from '../../deps.ts';
import { goneSignal } from '../../gone-signal.ts';
import { noteForLog } from '../../log-fields.ts';
import { pathPart } from '../../query.ts';
import { route } from '../../routing.ts';
import { rounded } from '../analyze-answer.ts';
import type { BodyReader } from '../../body/body-reader.ts';
import { RequestRefused } from '../../body/request-refused.ts';
import { readProtocolJson } from '../json-body.ts';
import { createPace } from '../../body/pacing.ts';
import { sendStream } from '../../send-stream.ts';
import { readInferRequest, type WireRequest } from './infer-request.ts';
import { writeInferResponse } from './infer-response.ts';
import { EXTENSIONS, indexEntry, listedModel, modelConfig, modelMetadata } from './metadata.ts';
import { countStatistics } from './statistics.ts';

interface ProtocolDeps extends Pick<ServerDeps, 'inference' | 'health'> {
  readonly bodies: BodyReader;
}

/** Whether the server is alive and serves; for probes, which have no key. */
export function protocolHealthRoutes({ inference }: Pick<ServerDeps, 'inference'>): Router {
  const router = Router();
  const answer = (res: Response, name: 'live' | 'ready', good: boolean): void => {
    res.set('cache-control', 'no-store').status(good ? 200 : 503);
    res.json({ [name]: good });
  };
  route(router, '/v2/health/live', { get: (_req, res) => answer(res, 'live', true) });
  route(router, '/v2/health/ready', { get: (_req, res) => answer(res, 'ready', inference.ready()) });
  return router;
}

/**
 * The Open Inference Protocol, version 2, with the binary tensor data, classification, model repository, model
 * configuration and statistics extensions as Triton's clients use them.
 */
export function protocolRoutes({ inference, health, bodies }: ProtocolDeps): Router {
  const router = Router();
  const statistics = countStatistics(inference, Date.now);

  /** The model a path names, in the version it names, if any. */
  const modelOf = (req: Request): ModelStatus => {
    const status = inference.model(pathPart(req, 'model'));
    const version = pathPart(req, 'version');
    if (version !== '' && version !== status.version) {
      throw new RequestRefused(404, `${status.name} has no version ${version}; it serves ${status.version}`);
    }
    return status;
  };
  /** The same; one that is loaded at its first use is loaded now, since its tensors are not known before. */
  const loadedModelOf = async (req: Request): Promise<ModelStatus> => {
    const status = modelOf(req);
    return loadsAtFirstUse(status) ? await inference.load(status.name) : status;
  };

  route(router, '/v2', {
    get: (_req, res) =>
      void res.json({ name: 'steadyhand', version: health().version, extensions: EXTENSIONS }),
  });
  route(router, '/v2/models', {
    get: (_req, res) => {
      const models = inference.models().map((status) => listedModel(status, inference.defaultModel));
      res.set('cache-control', 'no-store').json({ models });
    },
  });
  route(router, '/v2/models/stats', {
    get: (_req, res) =>
      void res.json({ model_stats: inference.models().map((status) => statistics.of(status)) }),
  });
  for (const path of ['/v2/models/:model', '/v2/models/:model/versions/:version']) {
    route(router, path, { get: async (req, res) => void res.json(modelMetadata(await loadedModelOf(req))) });
    route(router, `${path}/ready`, {
      get: (req, res) => {
        const status = modelOf(req);
        const ready = status.state === 'ready' || loadsAtFirstUse(status);
        res.status(ready ? 200 : 503).json({ name: status.name, ready });
      },
    });
    route(router, `${path}/config`, {
      get: async (req, res) => void res.json(modelConfig(await loadedModelOf(req))),
    });
    route(router, `${path}/stats`, {
      get: (req, res) => void res.json({ model_stats: [statistics.of(modelOf(req))] }),
    });
    route(router, `${path}/infer`, { post: (req, res) => infer(req, res) });
  }

  const infer = async (req: Request, res: Response): Promise<void> => {
    const signal = goneSignal(res);
    const status = modelOf(req);
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
  };

  route(router, '/v2/repository/index', {
    post: async (req, res) => {
      const { ready } = await readParameters(req, res, bodies);
      const models = inference.models().filter(({ state }) => ready !== true || state === 'ready');
      res.json(models.map(indexEntry));
    },
  });
  route(router, '/v2/repository/models/:model/load', {
    post: async (req, res) => {
      const parameters = (await readParameters(req, res, bodies))['parameters'];
      if (typeof parameters === 'object' && parameters !== null && Object.keys(parameters).length > 0) {
        throw new RequestRefused(
          400,
          'parameters: a model is loaded from its files; overrides are not supported',
        );
      }
      try {
        await inference.load(pathPart(req, 'model'));
      } catch (error) {
        if (error instanceof ModelRefused) throw new RequestRefused(400, error.message);
        throw error;
      }
      res.json({});
    },
  });
  route(router, '/v2/repository/models/:model/unload', {
    post: async (req, res) => {
      await readParameters(req, res, bodies);
      await inference.unload(pathPart(req, 'model'));
      res.json({});
    },
  });
  return router;
}

/** A shipped model that nobody has asked for yet; one that was unloaded on request has been loaded before. */
function loadsAtFirstUse({ source, state, spec }: ModelStatus): boolean {
  return source === 'builtin' && state === 'unloaded' && spec === null;
}

function takesNoTensors(name: string): RequestRefused {
  return new RequestRefused(
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
): Promise<Readonly<Record<string, unknown>>> {
  const body = await bodies.read(req, res);
  if (body.length === 0) return {};
  const value = await readProtocolJson(body, createPace());
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new RequestRefused(400, 'the request: expected an object');
}
