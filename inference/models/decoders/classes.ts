import { InferenceError } from '../../common/errors.ts';
import type { Filters } from '../../common/results.ts';
import type { ModelSpec } from '../model-spec.ts';
import type { Tensor } from '../../common/tensor.ts';
import { classScores } from '../outputs.ts';
import type { DecodeOptions } from './decoder.ts';
import { floatsOf, misfit } from './matrix.ts';
import { isDistribution, softmax } from './scores.ts';

/** Answers the name of a class, which is `class-N` where the model gives it none. */
export function labelOf({ labels }: Pick<ModelSpec, 'labels'>, classId: number): string {
  return labels?.[classId] ?? `class-${classId}`;
}

/**
 * Answers the classes that a filter names, by index or by name; null for all. A name that is a number, and not the
 * name of a class, is an index.
 * @throws {InferenceError} image_unsuitable with the field `classes`, for a name that the model does not have
 */
export function wantedClasses(spec: Pick<ModelSpec, 'labels'>, filters: Filters): ReadonlySet<number> | null {
  if (filters.classes === undefined) return null;
  return new Set(filters.classes.flatMap((wanted) => indicesOf(spec, wanted)));
}

function indicesOf({ labels }: Pick<ModelSpec, 'labels'>, wanted: number | string): number[] {
  const named = [...(labels ?? []).entries()].flatMap(([index, label]) => (label === wanted ? [index] : []));
  if (named.length > 0) return named;
  const index = Number(/^(?:class-)?(\d+)$/.exec(String(wanted))?.[1] ?? NaN);
  if (Number.isSafeInteger(index)) return [index];
  const known = (labels ?? []).slice(0, 20).join(', ');
  const more = (labels ?? []).length > 20 ? ', ...' : '';
  throw new InferenceError(
    'image_unsuitable',
    `the model has no class "${wanted}"; expected an index from 0 or ${known === '' ? 'class-N' : `one of ${known}${more}`}`,
    { field: 'classes' },
  );
}

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
