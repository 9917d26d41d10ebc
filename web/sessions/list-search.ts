/** How the list of sessions is narrowed, in its address. */
export const SHOWN = ['all', 'running', 'idle', 'terminated'] as const;
export type Shown = (typeof SHOWN)[number];

export interface ListSearch {
  readonly show?: Exclude<Shown, 'all'>;
  readonly page?: string;
}

export function listSearch({ show, page }: Record<string, unknown>): ListSearch {
  const shown = SHOWN.find((name) => name === show);
  return {
    ...(shown === undefined || shown === 'all' ? {} : { show: shown }),
    ...(typeof page === 'string' ? { page } : {}),
  };
}
