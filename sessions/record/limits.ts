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
