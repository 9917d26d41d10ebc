import { z } from 'zod';
import type { Inference } from '@steadyhand/inference';
import type { BodyReader } from '../body/body-reader.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { noteForLog } from '../http/log-fields.ts';
import { createPace } from '../http/pacing.ts';
import { sendStream } from '../http/send.ts';
import { named } from '../routing/components.ts';
import { form, jsonPieces } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';
import { analyzeAnswer, rounded, tensorsAnswer } from './analyze-answer.ts';
import { analyzeQuery, filtersOf, modelQuery, readAnalyzeRequest } from './analyze-request.ts';
import { analysis, modelCard } from './contract.ts';
import { modelCardOf } from './model-card.ts';

/** A name can be as long as a query. */
const LOGGED_NAME = 100;

/** FastAPI's schema of a form with one file. */
const upload = z.object({
  file: z.string().meta({ contentMediaType: 'application/octet-stream', title: 'File' }),
});

named({ Body_analyze_analyze_post: upload });

export interface AnalyzeRouteDeps {
  readonly inference: Inference;
  readonly uploadLimitBytes: number;
  readonly bodies: BodyReader;
  readonly maxPixels: number;
}

const route = routesOf<AnalyzeRouteDeps>()('Analyze', {});

/** `/analyze`: an image in, what a model sees on it out. */
export const analyzeRoutes = [
  route('GET /analyze', 'model_card', 'Model Card', {
    description: 'What a model is and how it is asked.',
    query: modelQuery,
    answer: modelCard,
    errors: { 404: 'no such model', 422: undefined },
    handle: ({ inference, uploadLimitBytes, maxPixels }, { search, res }) => {
      const { defaultModel } = inference;
      const status = inference.model(search.getAll('model').at(-1) ?? defaultModel);
      res.set('cache-control', 'no-store');
      return modelCardOf(status, { defaultModel, maxBytes: uploadLimitBytes, maxPixels });
    },
  }),
  route('POST /analyze', 'analyze', 'Analyze', {
    description: 'An image file in, what a model sees on it out. Boxes are in pixels of the image.',
    query: analyzeQuery,
    body: form('multipart/form-data', upload),
    answer: jsonPieces(analysis),
    errors: {
      400: 'no image that can be decoded, or no form',
      404: 'no such model',
      408: 'the body did not arrive in time',
      413: 'too many bytes, or too many pixels',
      415: 'an image format that is not allowed',
      422: undefined,
      500: 'the runtime refused to run the model',
      503: 'too many requests wait, the time ran out, or the model does not serve',
    },
    handle: async ({ inference, bodies }, { req, res }) => {
      const signal = goneSignal(res);
      const { query, file } = await readAnalyzeRequest(req, res, bodies, signal);
      const { model, output, encoding, decode, lines, timeout_ms: timeoutMs } = query;
      noteForLog(res, { model: (model ?? inference.defaultModel).slice(0, LOGGED_NAME) });
      const result = await inference.analyze({
        bytes: file,
        output,
        filters: filtersOf(query),
        decode,
        signal,
        ...(model === undefined ? {} : { model }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      noteForLog(res, { timings: rounded(result.timings) });
      res.set('cache-control', 'no-store');
      if (result.outputs === undefined) {
        res.json(analyzeAnswer(result, lines));
        return;
      }
      res.type('json');
      await sendStream(res, tensorsAnswer(result, result.outputs, encoding, createPace(signal)));
    },
  }),
];
