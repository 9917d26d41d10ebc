import type { SessionTakeover } from '@steadyhand/contracts';

/**
 * The events of a session's state machine. User events carry their sequence number in the event log; one that was accepted
 * before is dropped, so they may be delivered more than once, in order.
 */
export type SessionEvent =
  | { readonly type: 'user.message'; readonly seq: number }
  | { readonly type: 'user.interrupt'; readonly seq: number }
  | {
      /** The answer itself stands in the event log alone; without its entry there this event has no effect. */
      readonly type: 'user.tool_confirmation' | 'user.custom_tool_result';
      readonly seq: number;
      /** Event id of the tool use. */
      readonly call: string;
    }
  /** A person wants mouse and keyboard. Once the action under way has ended, the agent waits until they are handed back. */
  | ({ readonly type: 'takeover' } & SessionTakeover)
  /** The person no longer wants them; refused once the takeover has begun. */
  | { readonly type: 'takeover.withdrawn'; readonly takeover: string }
  /**
   * Sent when the server starts, to the workflow of a session that is not at rest: the event log's epoch, and the last user
   * message or interrupt that was delivered. They show a workflow that an older copy of the engine's data has set it back.
   */
  | { readonly type: 'recall'; readonly epoch: number; readonly seq: number }
  /** Stops at the next boundary between steps; `resume` continues there. */
  | { readonly type: 'pause' }
  | { readonly type: 'resume' };
