import { z } from 'zod';

const amount = z.number().min(0, 'expected 0 or more').max(1_000_000, 'expected at most 1000000');

/** What a model costs, as the providers file says it: by a million tokens. */
export const priceEntry = z.strictObject({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'expected the three capital letters of a currency, e.g. USD')
    .default('USD'),
  input: amount,
  output: amount,
  cache_write: amount.optional(),
  cache_read: amount.optional(),
});

/** What a million tokens of each kind cost. */
export interface ModelPrice {
  /** By ISO 4217, e.g. `USD`. */
  readonly currency: string;
  readonly input: number;
  readonly output: number;
  readonly cache_write: number;
  readonly cache_read: number;
}

/** A price with every field: tokens of the cache cost what other input costs, unless the entry says more. */
export function priceOf({ currency, input, output, ...cache }: z.infer<typeof priceEntry>): ModelPrice {
  return {
    currency,
    input,
    output,
    cache_write: cache.cache_write ?? input,
    cache_read: cache.cache_read ?? input,
  };
}
