import { type UseQueryOptions, queryOptions } from '@tanstack/react-query';
import type { JsonSchema } from '../parts/schema-form/json-schema.ts';
import { call } from './api.ts';

/** The schema of what a form makes; it changes only with the server. */
export function formSchema(name: 'agent' | 'environment' | 'script'): UseQueryOptions<
  JsonSchema,
  Error,
  JsonSchema,
  readonly [string, string]
> & {
  queryKey: readonly [string, string];
} {
  return queryOptions({
    queryKey: ['schema', name] as readonly [string, string],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/schemas/{name}', { params: { name }, signal })) as JsonSchema,
    staleTime: Infinity,
  });
}
