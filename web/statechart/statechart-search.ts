import { type MomentSearch, momentSearch } from './run/moment.ts';

interface StatechartSearch extends MomentSearch {
  readonly run_id?: string;
}

export const statechartSearch = (search: Record<string, unknown>): StatechartSearch => ({
  ...(typeof search['run_id'] === 'string' ? { run_id: search['run_id'] } : {}),
  ...momentSearch(search),
});

/** Two runs, by the ids of their workflows and, where it is not the newest, of the run. */
export interface CompareSearch extends MomentSearch {
  readonly left?: string;
  readonly left_run_id?: string;
  readonly right?: string;
  readonly right_run_id?: string;
}

const NAMES = ['left', 'left_run_id', 'right', 'right_run_id'] as const;

export function compareSearch(search: Record<string, unknown>): CompareSearch {
  // An id of digits alone is a number to whoever reads an address.
  const given = NAMES.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  });
  return { ...(Object.fromEntries(given) as CompareSearch), ...momentSearch(search) };
}
