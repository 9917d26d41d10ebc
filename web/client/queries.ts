import { keepPreviousData, QueryClient, queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import { type ApiAnswer, type ApiKey, type Asked, call } from './api.ts';
import { connection } from './connection.ts';
import { RequestFailedError } from './request.ts';

/** How often a list that is looked at is asked for again. */
const LIVE_MS = 2000;

/** A server that is overloaded or restarting is asked again; what it refuses, it will refuse again. */
function isWorthAnotherTry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof RequestFailedError && error.status >= 500;
}

/** What the page holds of the server's answers. One answer serves all parts of the page that ask the same. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // A server on this machine is there without any network, so the browser's word for it does not count.
      queries: { networkMode: 'always', staleTime: 1000, retry: isWorthAnotherTry },
      mutations: { networkMode: 'always' },
    },
  });
  connection.subscribe(() => {
    if (connection.get() === 'open') void client.invalidateQueries();
  });
  return client;
}

type QueryKeyOf = readonly [route: ApiKey, params: unknown, query: unknown];

/** What is asked by GET: the parts of the path and the query, which are the key of the answer. */
type Read<K extends ApiKey> = Omit<Asked<K>, 'signal' | 'headers' | 'form' | 'body'>;

/**
 * What `useQuery` takes to ask a GET route. The key is made of the route and of what it is asked with, so that nobody
 * invents one.
 *
 * @example useQuery(read('GET /v1/agents/{id}', { params: { id } }))
 */
export function read<K extends ApiKey>(
  route: K,
  asked: Read<K>,
): UseQueryOptions<ApiAnswer<K>, Error, ApiAnswer<K>, QueryKeyOf> & { queryKey: QueryKeyOf } {
  const { params, query } = asked as { params?: unknown; query?: unknown };
  return queryOptions({
    queryKey: [route, params ?? null, query ?? null] as QueryKeyOf,
    queryFn: ({ signal }) => call(route, { ...asked, signal } as Asked<K>),
  });
}

/** The same for a list that stays current while it is looked at, and shows the last page until the next one is there. */
export function follow<K extends ApiKey>(
  route: K,
  asked: Read<K>,
): ReturnType<typeof read<K>> & { refetchInterval: number } {
  return { ...read(route, asked), placeholderData: keepPreviousData, refetchInterval: LIVE_MS };
}

/** Has everything asked again that came from these routes, after something was changed. */
export function outdate(client: QueryClient, ...routes: readonly ApiKey[]): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [route] }) => routes.includes(route as ApiKey) });
}
