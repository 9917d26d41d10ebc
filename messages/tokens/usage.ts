import type { ContentBlockParam, Usage } from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';
import { countInputTokens, replyTokens } from './request-tokens.ts';

/** The `usage` of a reply that was made here, counted here. Nothing is cached, so nothing is billed as cached. */
export function countUsage(request: ModelRequest, reply: readonly ContentBlockParam[]): Usage {
  return {
    input_tokens: countInputTokens(request),
    // A reply that was cut at `max_tokens` has no end to count.
    output_tokens: Math.min(replyTokens(reply, request.model), request.max_tokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    fallback_credit: null,
    inference_geo: null,
    iterations: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
}
