import type { BetaManagedAgentsSessionUsage } from '@anthropic-ai/sdk/resources/beta/sessions/sessions.js';
import type { Usage } from '@steadyhand/messages';
import type { ModelUsage } from '../events/types.ts';

/** The tokens of a session so far, in the SDK's shape with all fields. */
export interface UsageSum {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
}

export const NO_USAGE: UsageSum = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
};

/** The usage that a provider reports of a reply: the Messages API's `usage`, or a part of it. */
export type ReplyUsage = Pick<Usage, 'input_tokens' | 'output_tokens'> &
  Partial<Pick<Usage, 'cache_creation' | 'cache_creation_input_tokens' | 'cache_read_input_tokens'>>;

/** The sum with one more reply. Cache writes of unknown lifetime count as the default, five minutes. */
export function addUsage(sum: UsageSum, reply: ReplyUsage): UsageSum {
  const written = reply.cache_creation ?? {
    ephemeral_5m_input_tokens: reply.cache_creation_input_tokens ?? 0,
    ephemeral_1h_input_tokens: 0,
  };
  return {
    input_tokens: sum.input_tokens + reply.input_tokens,
    output_tokens: sum.output_tokens + reply.output_tokens,
    cache_read_input_tokens: sum.cache_read_input_tokens + (reply.cache_read_input_tokens ?? 0),
    cache_creation: {
      ephemeral_5m_input_tokens:
        sum.cache_creation.ephemeral_5m_input_tokens + written.ephemeral_5m_input_tokens,
      ephemeral_1h_input_tokens:
        sum.cache_creation.ephemeral_1h_input_tokens + written.ephemeral_1h_input_tokens,
    },
  };
}

/** All tokens read and written, cached or not, as a token limit counts them. */
export function totalTokens(sum: UsageSum): number {
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = sum.cache_creation;
  return (
    sum.input_tokens +
    sum.output_tokens +
    sum.cache_read_input_tokens +
    ephemeral_5m_input_tokens +
    ephemeral_1h_input_tokens
  );
}

/** The usage of one reply as `span.model_request_end` carries it. */
export function spanUsage(reply: ReplyUsage): ModelUsage {
  return {
    input_tokens: reply.input_tokens,
    output_tokens: reply.output_tokens,
    cache_creation_input_tokens: reply.cache_creation_input_tokens ?? 0,
    cache_read_input_tokens: reply.cache_read_input_tokens ?? 0,
  };
}

/** @param activeSeconds how long the session has been running */
export function sessionUsage(sum: UsageSum, activeSeconds: number): BetaManagedAgentsSessionUsage {
  return { ...sum, cache_creation: { ...sum.cache_creation }, active_seconds: activeSeconds };
}
