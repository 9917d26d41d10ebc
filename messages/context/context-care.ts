/**
 * What is done to a request's conversation before a model sees it, asked for by `context_care` in a request or in an agent.
 * An extension of the API: every field is optional, and without the object the conversation goes as it came.
 */
export interface ContextCare {
  /**
   * Keep the newest screenshots of tool results, at least so many; older ones become a short text. They are taken away in
   * chunks of the same size, so that the conversation's beginning stays as it was for some turns and a cache of it hits.
   */
  readonly keep_screenshots?: number | null;
  /** `auto` places the cache breakpoints of an agent loop: tools and system, and the newest user turns. Default `off`. */
  readonly cache_breakpoints?: 'auto' | 'off';
  /** Scale pictures down to what the model takes, and coordinates with them. Default false. */
  readonly fit_images?: boolean;
}
