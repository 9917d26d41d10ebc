import type { Message, StreamEvent } from '../api/api-types.ts';
import type { ModelDirectory } from '../models/upstream-model.ts';
import type { ModelRequest } from '../api/request.ts';

/** A reply as the API gives it. */
export type ModelReply = Message;

/** How a reply is asked for. Everything but the signal is optional and stays so. */
export interface ReplyOptions {
  /** Ends the work upstream; `reply` and `stream` then reject with the signal's reason. */
  readonly signal: AbortSignal;
  /** Id for a reply that is made here, `msg_...`; an upstream gives its own. Ids of its tool uses derive from it. */
  readonly id?: string;
  /** Milliseconds since the epoch; for retry hints that are dates. */
  readonly now?: () => number;
  /** Told once each is known: who answers, and the id that the upstream gave to the request. For the request's log line. */
  readonly trace?: (fact: ReplyTrace) => void;
}

interface ReplyTrace {
  /** The provider's name in the configuration. */
  readonly provider?: string;
  readonly upstreamRequestId?: string;
}

/**
 * Where replies come from.
 *
 * @see errors.ts for what `reply`, `stream` and `countTokens` reject with: `ProviderRateLimitedError` and `ProviderOverloadedError`
 * (wait, then ask again), `ProviderUnavailableError` and `ProviderTimedOutError` (ask again), `ProviderRefusedError` (never ask again).
 */
export interface ModelProvider {
  readonly name: string;
  reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply>;
  /**
   * The reply as it comes, in the grammar of `StreamEvent`. A fault before the first event or after any other rejects the
   * next one; leaving the loop ends the work upstream. Nothing is asked before the first event is.
   */
  stream(request: ModelRequest, options: ReplyOptions): AsyncIterable<StreamEvent>;
  /** Input tokens as the upstream counts them; a provider without it is counted for here. */
  countTokens?(request: ModelRequest, options: ReplyOptions): Promise<number>;
  /** Its upstream knows no edits of a request's `context_management`: they are made here before it is asked. */
  readonly lacksContextEdits?: true;
  /** The upstream's own list of models, where it has one. */
  readonly models?: ModelDirectory;
}
