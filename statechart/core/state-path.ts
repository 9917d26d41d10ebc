import type { StateValue } from 'xstate';

/**
 * A state value as one line, such as `request.waiting`; parallel regions are joined with a comma, `a.b, c.d`. It fits a
 * Keyword search attribute of Temporal.
 */
export function statePath(value: StateValue): string {
  return paths(value).join(', ');
}

function paths(value: StateValue): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([key, child]) => {
    if (child === undefined) return [];
    const below = paths(child);
    return below.length === 0 ? [key] : below.map((path) => `${key}.${path}`);
  });
}

/** Whether a state path such as `a.b, c.d` is in the state `c`. */
export const matchesPath = (path: string, wanted: string): boolean =>
  path.split(', ').some((state) => state === wanted || state.startsWith(`${wanted}.`));

/** Every active state of a state path, those around it included: `a`, `a.b`, `c`, `c.d` of `a.b, c.d`. */
export function activePaths(path: string): string[] {
  const all = path.split(', ').flatMap((leaf) => {
    const parts = leaf.split('.');
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return [...new Set(all)].filter((active) => active !== '');
}
