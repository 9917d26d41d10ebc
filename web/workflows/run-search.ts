import { type ViewSearch, viewSearch } from './history/view-search.ts';
import { type MomentSearch, momentSearch } from '../statechart/run/moment.ts';

/** Which run is shown, how, and which of its events, in the address. */
export const TABS = ['overview', 'compact', 'timeline', 'steps', 'statechart', 'raw', 'stack'] as const;
export type TabName = (typeof TABS)[number];

/** How histories are shown that come from a file. */
export const FILE_TABS = ['compact', 'timeline', 'raw'] as const;
export type FileTabName = (typeof FILE_TABS)[number];

export interface EventSearch {
  /** The id of the event that is open. */
  readonly event?: number;
}

export interface RunSearch extends EventSearch, MomentSearch, ViewSearch {
  readonly run_id?: string;
  readonly tab?: TabName;
}

export function runSearch(search: Record<string, unknown>): RunSearch {
  const { run_id, tab, event, step } = search;
  const chosen = TABS.find((name) => name === tab);
  return {
    ...(typeof run_id === 'string' ? { run_id } : {}),
    ...(chosen === undefined ? {} : { tab: chosen }),
    ...eventOf(event),
    ...momentSearch({ step }),
    ...viewSearch(search),
  };
}

export interface FileSearch extends EventSearch, ViewSearch {
  readonly tab?: FileTabName;
}

export function fileSearch(search: Record<string, unknown>): FileSearch {
  const chosen = FILE_TABS.find((name) => name === search['tab']);
  return {
    ...(chosen === undefined ? {} : { tab: chosen }),
    ...eventOf(search['event']),
    ...viewSearch(search),
  };
}

function eventOf(event: unknown): EventSearch {
  const id = Number(event);
  return event !== undefined && Number.isInteger(id) && id > 0 ? { event: id } : {};
}

/** The same page with another event open, or with none. */
export function withEvent<S extends EventSearch>(search: S, event: number | undefined): S {
  if (event !== undefined) return { ...search, event };
  return Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'event')) as S;
}
