import { InferenceError } from '../../common/errors.ts';
import type { Filters } from '../../common/results.ts';
import type { ModelSpec } from '../model-spec.ts';

/** The name of a class, which is `class-N` where the model gives it none. */
export function labelOf({ labels }: Pick<ModelSpec, 'labels'>, classId: number): string {
  return labels?.[classId] ?? `class-${classId}`;
}

/**
 * The classes that a filter names, by index or by name; null for all. A name that is a number, and not the name of a
 * class, is an index.
 *
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
