import type { ModelInfo } from '@anthropic-ai/sdk/resources/models.js';
import { z } from 'zod';
import { toInvalidRequest } from '../schema/fields/issues.ts';

/** A list in the form that the SDK's `Page` reads. */
export interface ModelPage {
  readonly data: readonly ModelInfo[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;

const integer = z
  .string()
  .refine((text) => /^[+-]?\d+$/.test(text), {
    message: 'Input should be a valid integer, unable to parse string as an integer',
  })
  .transform(Number)
  .pipe(z.int().min(1).max(1000));

const pageQuery = z.strictObject({
  limit: integer.default(20),
  after_id: z.exactOptional(z.string()),
  before_id: z.exactOptional(z.string()),
  lifecycle: z.array(z.enum(LIFECYCLES)).default(['active', 'deprecated']),
});

/**
 * Makes one page of models: `limit` of them (default 20), right after `after_id` or right before `before_id`. An
 * unknown id stands for the end of the list.
 *
 * @throws {InvalidRequestError} for a parameter that is unknown or out of its bounds
 */
export function modelPage(models: readonly ModelInfo[], query: URLSearchParams): ModelPage {
  const { limit, after_id: after, before_id: before, lifecycle } = readQuery(query);
  const listed = models.filter((model) => (lifecycle as readonly string[]).includes(model.lifecycle));
  const placeOf = (id: string): number => {
    const at = listed.findIndex((model) => model.id === id);
    return at === -1 ? listed.length : at;
  };
  const end = before === undefined ? listed.length : placeOf(before);
  const start = after === undefined ? 0 : placeOf(after) + 1;
  const from = before === undefined ? start : Math.max(start, end - limit);
  const data = listed.slice(from, Math.min(end, from + limit));
  return {
    data,
    has_more: before === undefined ? from + limit < end : from > start,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function readQuery(query: URLSearchParams): z.infer<typeof pageQuery> {
  const entries = [...query].filter(([, value]) => value !== '');
  const lifecycle = entries.filter(([name]) => /^lifecycle(\[\d*\])?$/.test(name)).map(([, value]) => value);
  const others = entries.filter(([name]) => name !== 'beta' && !name.startsWith('lifecycle'));
  const given = { ...Object.fromEntries(others), ...(lifecycle.length > 0 && { lifecycle }) };
  const parsed = pageQuery.safeParse(given, { reportInput: true });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
  return parsed.data;
}
