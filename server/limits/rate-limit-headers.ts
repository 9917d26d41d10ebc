import type { TokenBucket } from './token-bucket.ts';

type Buckets = Readonly<Partial<Record<'requests' | 'inputTokens' | 'outputTokens', TokenBucket>>>;

/**
 * `anthropic-ratelimit-{requests,tokens,input-tokens,output-tokens}-{limit,remaining,reset}` for what has a limit. `tokens` is
 * input and output together, told where both have one. A reset is the time when the whole limit is there again.
 */
export function rateLimitHeaders(buckets: Buckets): Record<string, string> {
  const { requests, inputTokens, outputTokens } = buckets;
  return {
    ...headersOf('requests', requests),
    ...headersOf('input-tokens', inputTokens),
    ...headersOf('output-tokens', outputTokens),
    ...(inputTokens === undefined || outputTokens === undefined
      ? {}
      : headersOf('tokens', {
          limit: inputTokens.limit + outputTokens.limit,
          remaining: inputTokens.remaining + outputTokens.remaining,
          fullAt: Math.max(inputTokens.fullAt, outputTokens.fullAt),
        })),
  };
}

function headersOf(
  name: string,
  state: Pick<TokenBucket, 'limit' | 'remaining' | 'fullAt'> | undefined,
): Record<string, string> {
  if (state === undefined) return {};
  const prefix = `anthropic-ratelimit-${name}`;
  return {
    [`${prefix}-limit`]: String(state.limit),
    [`${prefix}-remaining`]: String(state.remaining),
    [`${prefix}-reset`]: rfc3339(state.fullAt),
  };
}

/** Whole seconds, upwards: at the told time it is so. */
function rfc3339(ms: number): string {
  return new Date(Math.ceil(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
