/** What a key may use. An absent limit is none. */
export interface KeyLimits {
  /** Requests a minute. */
  readonly requests?: number;
  /** Tokens a minute that models read, those from a cache not counted. */
  readonly inputTokens?: number;
  /** Tokens a minute that models write. */
  readonly outputTokens?: number;
  /** Streamed replies under way at a time. */
  readonly streams?: number;
}

/** What has a limit a minute. */
export type LimitedKind = 'requests' | 'inputTokens' | 'outputTokens';
