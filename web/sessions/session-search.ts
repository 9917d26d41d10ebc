/** What a session's page shows beside the screen, in its address. */
export const VIEWS = ['turns', 'machine', 'cost', 'network', 'files', 'policy', 'log'] as const;
export type View = (typeof VIEWS)[number];

export interface SessionSearch {
  /** The moment that is shown: an event's id, or a time as RFC 3339. Without it the newest. */
  readonly at?: string | undefined;
  readonly view?: Exclude<View, 'turns'> | undefined;
}

export function sessionSearch({ at, view }: Record<string, unknown>): SessionSearch {
  const shown = VIEWS.find((name) => name === view);
  return {
    ...(typeof at === 'string' && at !== '' ? { at } : {}),
    ...(shown === undefined || shown === 'turns' ? {} : { view: shown }),
  };
}
