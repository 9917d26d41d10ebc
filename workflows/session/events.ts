import type { SessionTakeover } from '@steadyhand/contracts';

/**
 * What a session's machine is told. User events carry their sequence number in the log; one that was already taken is
 * dropped, so they may be delivered more than once, in order.
 */
export type SessionEvent =
  | { readonly type: 'user.message'; readonly seq: number }
  | { readonly type: 'user.interrupt'; readonly seq: number }
  | {
      /** Which answer it is stands in the log alone; an event without its entry there is nothing. */
      readonly type: 'user.tool_confirmation' | 'user.custom_tool_result';
      readonly seq: number;
      /** Event id of the tool use. */
      readonly call: string;
    }
  /** A person wants mouse and keyboard: once the action under way has ended, the agent waits until they are handed back. */
  | ({ readonly type: 'takeover' } & SessionTakeover)
  /** The person no longer wants them; refused once the takeover has begun. */
  | { readonly type: 'takeover.withdrawn'; readonly takeover: string }
  /**
   * Told to the workflow of a session that is not at rest, when the server starts: the log's epoch, and the last user message
   * or interrupt that was delivered. A workflow that was set back, by an older copy of the engine's data, finds out by them.
   */
  | { readonly type: 'recall'; readonly epoch: number; readonly seq: number }
  /** Stops at the next boundary between steps; `resume` goes on there. */
  | { readonly type: 'pause' }
  | { readonly type: 'resume' };
