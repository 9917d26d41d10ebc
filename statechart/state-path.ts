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
