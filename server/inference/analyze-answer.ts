import type { Analysis, Tensor, TensorStats, Timings } from '@steadyhand/inference';
import type { Pace } from '../http/pacing.ts';
import type { LINES } from './analyze-request.ts';
import type { AnalyzeAnswer, TensorStatsAnswer } from './contract.ts';
import { base64Json, valuesJson } from './tensor-json.ts';

/** An analysis without tensors, as it is answered; lines of text have their words where they are asked for. */
export function analyzeAnswer(analysis: Analysis, linesAs: (typeof LINES)[number] = 'plain'): AnalyzeAnswer {
  const { model, image, detections, lines, classes, stats, timings } = analysis;
  return {
    model,
    image,
    ...(detections === undefined ? {} : { detections }),
    ...(lines === undefined
      ? {}
      : {
          lines: lines.map(({ text, score, box, polygon, words }) => ({
            text,
            score,
            box,
            polygon,
            ...(linesAs === 'words' && words !== undefined
              ? { words: words.map((word) => ({ text: word.text, box: word.box })) }
              : {}),
          })),
        }),
    ...(classes === undefined ? {} : { classes }),
    ...(stats === undefined ? {} : { outputs: stats.map(finiteStats) }),
    timings: rounded(timings),
  };
}

/** An analysis with tensors, piece by piece: they may be many megabytes of text. */
export async function* tensorsAnswer(
  analysis: Analysis,
  outputs: readonly Tensor[],
  encoding: 'json' | 'base64',
  pace: Pace,
): AsyncGenerator<string | Uint8Array> {
  const { timings, ...head } = analyzeAnswer(analysis);
  yield `${JSON.stringify(head).slice(0, -1)},"outputs":[`;
  for (const [index, tensor] of outputs.entries()) {
    const { name, datatype, shape } = tensor;
    const field = encoding === 'json' ? 'data' : 'data_base64';
    const info = JSON.stringify({ name, datatype, shape }).slice(0, -1);
    yield `${index === 0 ? '' : ','}${info},"${field}":`;
    yield* encoding === 'json' ? valuesJson(tensor, pace) : base64Json(tensor, pace);
    yield '}';
  }
  yield `],"timings":${JSON.stringify(timings)}}`;
}

function finiteStats({ min, max, mean, ...info }: TensorStats): TensorStatsAnswer {
  return { ...info, min: finite(min), max: finite(max), mean: finite(mean) };
}

/** JSON has no word for the others. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** To the microsecond. */
export function rounded(timings: Timings): Timings {
  return Object.fromEntries(
    Object.entries(timings).map(([stage, ms]: [string, number]) => [stage, Math.round(ms * 1000) / 1000]),
  ) as unknown as Timings;
}
