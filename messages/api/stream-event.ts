import type { BetaRawMessageStreamEvent } from '@anthropic-ai/sdk/resources/beta/messages/messages.js';

/**
 * One event of a streamed reply, in the API's grammar: `message_start` (empty content), for each block
 * `content_block_start`, deltas, `content_block_stop`, then `message_delta` (stop reason, cumulative usage) and
 * `message_stop`. Pings and errors are the wire's own: a stream that fails throws.
 */
export type StreamEvent = BetaRawMessageStreamEvent;
