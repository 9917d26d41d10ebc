import type { PolicyDecision } from '@steadyhand/sessions';
import type { SessionEvent } from '../../client/api.ts';

export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

/** A field of this server that the SDK's event types lack. */
interface Decided {
  readonly policy_decision?: PolicyDecision;
}

export type ToolUse = EventOf<'agent.tool_use'> & Decided;
export type ToolResult = EventOf<'agent.tool_result'> & Decided;

/** When an event happened; undefined for one that waits to be taken in. */
export function timeOf(event: SessionEvent): string | undefined {
  return 'processed_at' in event ? (event.processed_at ?? undefined) : undefined;
}

/** The texts of a content list; its pictures are shown elsewhere. */
export function textOf(content: readonly { readonly type: string }[] | undefined): string {
  return (content ?? [])
    .map((block) => ('text' in block && typeof block.text === 'string' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}
