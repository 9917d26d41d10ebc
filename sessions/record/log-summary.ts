import type { StoredEvent } from '@steadyhand/store';
import { fromStored } from '../events/log-event.ts';
import type { LogEvent } from '../events/types.ts';
import type { HeldGrant } from '../policy/grant.ts';

/**
 * What a session's record keeps of its event log. It is updated in the transaction that appends, so it always covers
 * the whole log, and no step has to read a long log for it.
 */
export interface LogSummary {
  /** The ids of the tool uses that have no result, in the log's order. */
  readonly open_tool_uses: readonly string[];
  /** Seq of the newest `user.message`; 0 when there is none. */
  readonly last_message: number;
  /** Seq of the newest `user.interrupt`; 0 when there is none. */
  readonly last_interrupt: number;
  /** The newest seq that the model had been shown when it gave a reply; 0 before the first one. */
  readonly seen: number;
  /** The number of the newest `sandbox.network_request`; 0 when there is none. */
  readonly network_request: number;
  /** What a person has allowed for the rest of the session; absent where there never was anything. */
  readonly grants?: readonly HeldGrant[];
}

export const EMPTY_LOG: LogSummary = {
  open_tool_uses: [],
  last_message: 0,
  last_interrupt: 0,
  seen: 0,
  network_request: 0,
};

/** The summary of a log after events were appended to it. */
export function summaryAfter(before: LogSummary, appended: readonly StoredEvent[]): LogSummary {
  return appended.map(fromStored).reduce((summary, event): LogSummary => {
    const { seq } = event;
    const seen = Math.max(summary.seen, event.internal.reply?.cursor ?? 0);
    switch (event.type) {
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
        return { ...summary, seen, open_tool_uses: [...summary.open_tool_uses, event.id] };
      case 'agent.tool_result':
        return { ...summary, seen, open_tool_uses: without(summary, event.body.tool_use_id) };
      case 'user.custom_tool_result':
        return { ...summary, seen, open_tool_uses: without(summary, event.body.custom_tool_use_id) };
      case 'user.tool_confirmation':
        return { ...summary, seen, ...granted(summary, event) };
      case 'user.grant_withdrawn': {
        const { grant_id: gone } = event.body;
        return { ...summary, seen, grants: (summary.grants ?? []).filter(({ id }) => id !== gone) };
      }
      case 'user.message':
        return { ...summary, seen, last_message: seq };
      case 'user.interrupt':
        return { ...summary, seen, last_interrupt: seq };
      case 'sandbox.network_request':
        return { ...summary, seen, network_request: event.body.number };
      default:
        return { ...summary, seen };
    }
  }, before);
}

function granted(
  { grants = [] }: LogSummary,
  { id, body, created_at }: LogEvent<'user.tool_confirmation'>,
): Pick<LogSummary, 'grants'> {
  const { tool_use_id, grant } = body;
  if (grant === undefined) return {};
  return { grants: [...grants, { id, tool_use_id, granted_at: created_at, grant }] };
}

function without({ open_tool_uses: open }: LogSummary, answered: string): readonly string[] {
  return open.filter((id) => id !== answered);
}
