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

/** How far a session may go by itself. The SDK has only budgets in money, which do not apply to local models. */
export interface Limits {
  /** Model replies that answer one user message; null for no limit. */
  readonly max_turns: number | null;
  /** Tokens read and written over the session's life; null for no limit. */
  readonly max_tokens: number | null;
}

export const NO_LIMITS: Limits = { max_turns: null, max_tokens: null };

interface Spent {
  /** Model replies since the newest user message. */
  readonly turns: number;
  /** Counted as by `totalTokens`. */
  readonly tokens: number;
}

/** The first limit that forbids another model request; undefined when none does. */
export function reachedLimit(limits: Limits, spent: Spent): keyof Limits | undefined {
  if (limits.max_turns !== null && spent.turns >= limits.max_turns) return 'max_turns';
  if (limits.max_tokens !== null && spent.tokens >= limits.max_tokens) return 'max_tokens';
  return undefined;
}
