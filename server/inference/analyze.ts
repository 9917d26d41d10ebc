import { Router } from 'express';
import type { ServerDeps } from '../deps.ts';
import { goneSignal } from '../gone-signal.ts';
import { queryOf } from '../query.ts';
import { route } from '../routing.ts';
import { analyzeAnswer, rounded, tensorsAnswer } from './analyze-answer.ts';
import { readAnalyzeRequest } from './analyze-request.ts';
import type { BodyReader } from '../body/body-reader.ts';
import { noteForLog } from '../log-fields.ts';
import { modelCard } from './model-card.ts';
import { createPace } from '../body/pacing.ts';
import { sendStream } from '../send-stream.ts';

/** A name can be as long as a query. */
const LOGGED_NAME = 100;

interface AnalyzeDeps extends Pick<ServerDeps, 'inference' | 'uploadLimitBytes'> {
  readonly bodies: BodyReader;
  readonly maxPixels: number;
}

/** `/analyze`: an image in, what a model sees on it out. */
export function analyzeRoutes({ inference, uploadLimitBytes, bodies, maxPixels }: AnalyzeDeps): Router {
  const router = Router();
  route(router, '/analyze', {
    get: (req, res) => {
      const { defaultModel } = inference;
      const status = inference.model(queryOf(req).getAll('model').at(-1) ?? defaultModel);
      res.set('cache-control', 'no-store');
      res.json(modelCard(status, { defaultModel, maxBytes: uploadLimitBytes, maxPixels }));
    },
    post: async (req, res) => {
      const signal = goneSignal(res);
      const { query, file } = await readAnalyzeRequest(req, res, bodies, signal);
      const { model, output, encoding, filters, decode, timeoutMs } = query;
      noteForLog(res, { model: (model ?? inference.defaultModel).slice(0, LOGGED_NAME) });
      const analysis = await inference.analyze({
        bytes: file,
        output,
        filters,
        decode,
        signal,
        ...(model === undefined ? {} : { model }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      noteForLog(res, { timings: rounded(analysis.timings) });
      res.set('cache-control', 'no-store');
      if (analysis.outputs === undefined) {
        res.json(analyzeAnswer(analysis));
        return;
      }
      res.type('json');
      await sendStream(res, tensorsAnswer(analysis, analysis.outputs, encoding, createPace(signal)));
    },
  });
  return router;
}
