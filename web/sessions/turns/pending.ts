import type { SessionEvent } from '../../client/api.ts';
import type { ToolUse } from './event-types.ts';

/** The tool uses that wait for a person's answer: those that the newest idle event names and nobody has answered. */
export function pendingApprovals(events: readonly SessionEvent[]): readonly ToolUse[] {
  const last = events.findLastIndex((event) => event.type.startsWith('session.status_'));
  const idle = events[last];
  if (idle?.type !== 'session.status_idle' || idle.stop_reason.type !== 'requires_action') return [];
  const waiting = new Set(idle.stop_reason.event_ids);
  for (const event of events) if (event.type === 'user.tool_confirmation') waiting.delete(event.tool_use_id);
  return events.filter((event): event is ToolUse => event.type === 'agent.tool_use' && waiting.has(event.id));
}
