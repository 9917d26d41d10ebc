import type { Message } from '../api-types.ts';
import type { ModelRequest } from '../request.ts';

/** A reply as the API gives it. */
export type ModelReply = Message;

/**
 * How a reply is asked for. Everything but the signal is optional and stays so: live output will come as one more
 * optional callback, which a provider may ignore, and the finished reply stays the result either way.
 */
export interface ReplyOptions {
  /** Ends the work upstream; `reply` then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Id for a reply that is made here, `msg_...`; an upstream gives its own. Ids of its tool uses derive from it. */
  readonly id?: string;
  /** Milliseconds since the epoch; for retry hints that are dates. */
  readonly now?: () => number;
}

/**
 * Where replies come from.
 *
 * @see errors.ts for what `reply` rejects with: `ProviderRateLimited` and `ProviderOverloaded` (wait, then ask again),
 * `ProviderUnavailable` and `ProviderTimedOut` (ask again), `ProviderRefused` (never ask again).
 */
export interface ModelProvider {
  readonly name: string;
  reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply>;
}
