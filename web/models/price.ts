import { useQuery } from '@tanstack/react-query';
import { read } from '../client/queries.ts';
import { type Price, priceFor } from './routing.ts';

/** Tokens by what they cost. */
export interface PricedTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWritten: number;
}

/** What tokens cost, in the price's currency. */
export function costOf(tokens: PricedTokens, price: Price): number {
  const millionths =
    tokens.input * price.input +
    tokens.output * price.output +
    tokens.cacheRead * price.cache_read +
    tokens.cacheWritten * price.cache_write;
  return millionths / 1_000_000;
}

/** Prices change with the configuration alone, which is read at the server's start. */
const FRESH_MS = 60_000;

/** Finds the price of a model by its name; undefined where none is configured, or before the answer is there. */
export function usePrices(): (model: string) => Price | undefined {
  const { data } = useQuery({ ...read('GET /v1/providers', {}), staleTime: FRESH_MS });
  return (model) => (data === undefined ? undefined : priceFor(data.data, model));
}
