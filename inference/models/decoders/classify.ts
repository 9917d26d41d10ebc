import type { Tensor } from '../../common/tensor.ts';
import { classScores } from '../outputs.ts';
import type { DecodeOptions } from './decoder.ts';
import { floatsOf } from './float-values.ts';
import { misfit } from './matrix.ts';
import { isDistribution, softmax } from './scores.ts';

/**
 * Decodes `[1, classes]`. Scores that are probabilities stay as they are, others go through softmax. The best class
 * comes first, and scores that are not finite are dropped.
 */
export function decodeClasses(
  outputs: readonly Tensor[],
  { spec, threshold }: DecodeOptions,
  wanted: ReadonlySet<number> | null,
  max: number,
): { classId: number; score: number }[] {
  const output = classScores(outputs);
  const [images = 0, classes = 0] = output?.shape ?? [];
  const all = output === null ? new Float32Array(0) : floatsOf(output);
  if (output === null || output.shape.length < 2 || all.length !== images * classes)
    throw misfit(output, '[1, classes]');
  const values = all.subarray(0, images === 0 ? 0 : classes);
  const scores = spec.hints?.probabilities === true || isDistribution(values) ? values : softmax(values);
  return Array.from(scores, (score, classId) => ({ classId, score }))
    .filter(
      ({ classId, score }) =>
        Number.isFinite(score) && score >= threshold && (wanted === null || wanted.has(classId)),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, max);
}
