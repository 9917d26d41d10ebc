/** What a request of a batch may be, in the order in which it is shown. */
export const OUTCOMES = ['processing', 'succeeded', 'errored', 'canceled', 'expired'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Which page of the list of batches is shown. */
export interface ListSearch {
  /** The id of the batch before the first one that is shown. */
  readonly after?: string;
}

export function listSearch({ after }: Record<string, unknown>): ListSearch {
  return typeof after === 'string' && after !== '' ? { after } : {};
}

/** How many requests a page of the list has. */
export const PAGE = 50;

/** Which requests of a batch are shown. */
export interface BatchSearch {
  readonly status?: Outcome | undefined;
  /** The position before the first one that is shown. */
  readonly after?: number | undefined;
  /** The position of the one that is looked at. */
  readonly request?: number | undefined;
}

export function batchSearch({ status, after, request }: Record<string, unknown>): BatchSearch {
  const known = OUTCOMES.find((outcome) => outcome === status);
  return {
    ...(known === undefined ? {} : { status: known }),
    ...(isPosition(after) ? { after } : {}),
    ...(isPosition(request) ? { request } : {}),
  };
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** How a new batch is made, in the address. */
export const WAYS = ['prompts', 'lines'] as const;
export type Way = (typeof WAYS)[number];

export interface NewSearch {
  readonly by?: Exclude<Way, 'prompts'> | undefined;
}

export function newSearch({ by }: Record<string, unknown>): NewSearch {
  return by === 'lines' ? { by } : {};
}
