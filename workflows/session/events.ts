import type { TakeoverTerms } from '../../activities/contract.ts';

/**
 * What a session's machine is told. User events carry their sequence number in the log; one that was already taken is
 * dropped, so they may be delivered more than once, in order.
 */
export type SessionEvent =
  | { readonly type: 'user.message'; readonly seq: number }
  | { readonly type: 'user.interrupt'; readonly seq: number }
  | {
      readonly type: 'user.tool_confirmation';
      readonly seq: number;
      /** Event id of the tool use. */
      readonly call: string;
      readonly result: 'allow' | 'deny';
    }
  | { readonly type: 'user.custom_tool_result'; readonly seq: number; readonly call: string }
  /** A person wants mouse and keyboard: once the action under way has ended, the agent waits until they are handed back. */
  | ({
      readonly type: 'takeover';
      /**
       * The log tells of a failure under way before it begins. Left out by releases that gave the telling up for it, in whose
       * histories it has to stay so.
       */
      readonly after_failure?: true;
    } & TakeoverTerms)
  /** The person no longer wants them; refused once the takeover has begun. */
  | { readonly type: 'takeover.withdrawn'; readonly takeover: string }
  /** Stops at the next boundary between steps; `resume` goes on there. */
  | { readonly type: 'pause' }
  | { readonly type: 'resume' };
