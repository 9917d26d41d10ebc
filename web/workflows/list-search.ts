/** What the list shows, in its address: a query in the server's language, and which page of what it finds. */
export interface WorkflowsSearch {
  readonly query?: string;
  readonly page?: string;
}

export function workflowsSearch({ query, page }: Record<string, unknown>): WorkflowsSearch {
  return {
    ...(typeof query === 'string' && query.trim() !== '' ? { query } : {}),
    ...(typeof page === 'string' ? { page } : {}),
  };
}
