import type { Message, StreamEvent } from '../api/api-types.ts';
import type { ModelDirectory } from '../models/upstream-model.ts';
import type { ModelRequest } from '../api/request.ts';

/** A reply as the API gives it. */
export type ModelReply = Message;

/** Options for a reply. Only the signal is required. */
export interface ReplyOptions {
  /** Ends the work upstream; `reply` and `stream` then reject with the signal's reason. */
  readonly signal: AbortSignal;
  /** The id `msg_...` for a reply that is made here; an upstream gives its own. Ids of tool uses derive from it. */
  readonly id?: string;
  /** The time in milliseconds since the epoch, for retry hints that are dates. */
  readonly now?: () => number;
  /** Sent to the upstream as the header `traceparent`, so that its work belongs to the same trace. */
  readonly traceparent?: string | undefined;
  /** Receives facts for the request's log line as they become known. */
  readonly trace?: (fact: ReplyTrace) => void;
}

interface ReplyTrace {
  /** The provider's name in the configuration. */
  readonly provider?: string;
  readonly upstreamRequestId?: string;
}

/**
 * Answers requests.
 *
 * `reply`, `stream` and `countTokens` reject with the errors of `api/errors.ts`: `ProviderRateLimitedError` and
 * `ProviderOverloadedError` (wait, then ask again), `ProviderUnavailableError` and `ProviderTimedOutError` (ask again),
 * and `ProviderRefusedError` (never ask again).
 */
export interface ModelProvider {
  readonly name: string;
  reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply>;
  /**
   * Streams the reply in the grammar of `StreamEvent`. A fault rejects the next event; leaving the loop ends the work
   * upstream. The upstream is asked when the first event is read.
   */
  stream(request: ModelRequest, options: ReplyOptions): AsyncIterable<StreamEvent>;
  /** Lets the upstream count input tokens. Without this method the local estimate counts. */
  countTokens?(request: ModelRequest, options: ReplyOptions): Promise<number>;
  /** The upstream does not know `context_management`, so its edits are made before the upstream is asked. */
  readonly lacksContextEdits?: true;
  /** The upstream's own list of models, where it has one. */
  readonly models?: ModelDirectory;
}
