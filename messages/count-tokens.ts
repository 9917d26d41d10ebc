import type { ReplyOptions } from './providers/provider.ts';
import type { ProviderRegistry } from './routing/registry.ts';
import type { ModelRequest } from './api/request.ts';
import { countInputTokens } from './tokens/request-tokens.ts';

interface CountOptions extends Omit<ReplyOptions, 'id'> {
  readonly providers: ProviderRegistry;
}

/** The answer to `POST /v1/messages/count_tokens`. */
interface TokenCount {
  readonly input_tokens: number;
  /** The count without the edits of the context that the request asks for; null where it asks for none. */
  readonly context_management: { readonly original_input_tokens: number } | null;
}

/**
 * Counts the input tokens of a request: the upstream counts if it can, otherwise the local estimate counts, as in the
 * `usage` of a reply that is made here.
 *
 * @example const { input_tokens } = await countMessageTokens(request, { providers, signal });
 * @throws {ApiError} see `api/errors.ts`; the signal's reason when it was aborted
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
