import type { ReplyOptions } from './providers/provider.ts';
import type { ProviderRegistry } from './routing/registry.ts';
import type { ModelRequest } from './api/request.ts';
import { countInputTokens } from './tokens/request-tokens.ts';

interface CountOptions extends Omit<ReplyOptions, 'id'> {
  readonly providers: ProviderRegistry;
}

/** What a request uses as input, as `POST /v1/messages/count_tokens` answers. */
interface TokenCount {
  readonly input_tokens: number;
  /** Where the request asks for edits of its context: what it would use without them. */
  readonly context_management: { readonly original_input_tokens: number } | null;
}

/**
 * Input tokens of a request of the Messages API. The upstream's own count where there is an upstream that counts, else the
 * one made here, as in the `usage` of a reply that is made here.
 *
 * @throws {ApiError} see `errors.ts`; the signal's reason when it was aborted.
 */
export async function countMessageTokens(
  request: ModelRequest,
  { providers, ...options }: CountOptions,
): Promise<TokenCount> {
  const provider = providers.providerFor(request.model);
  const count = async (asked: ModelRequest): Promise<number> =>
    provider.countTokens === undefined ? countInputTokens(asked) : await provider.countTokens(asked, options);
  const { context_management: edits, ...unedited } = request;
  if (edits == null) return { input_tokens: await count(request), context_management: null };
  const [tokens, original] = await Promise.all([count(request), count(unedited)]);
  return { input_tokens: tokens, context_management: { original_input_tokens: original } };
}
