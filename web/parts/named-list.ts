/** How a list of named things is narrowed, in its address. */
export interface NamedListSearch {
  /** A part of the name, or the beginning of the id. */
  readonly search?: string | undefined;
  readonly archived?: true | undefined;
  readonly page?: string | undefined;
}

export function namedListSearch({ search, archived, page }: Record<string, unknown>): NamedListSearch {
  // The router reads `?search=12` as a number.
  const text = typeof search === 'number' ? String(search) : search;
  return {
    ...(typeof text === 'string' && text !== '' ? { search: text } : {}),
    ...(archived === true || archived === 'true' ? { archived: true } : {}),
    ...(typeof page === 'string' ? { page } : {}),
  };
}

/** The same as the API asks it. */
export function namedListQuery({ search, archived, page }: NamedListSearch): Record<string, string> {
  return {
    limit: '50',
    ...(search === undefined ? {} : { search }),
    ...(archived === undefined ? {} : { include_archived: 'true' }),
    ...(page === undefined ? {} : { page }),
  };
}
