import type { SessionEvent } from '../../client/api.ts';
import type { Screenshot } from '../time/screenshots.ts';
import type { EventOf, ToolResult, ToolUse } from './event-types.ts';

/** The first line of a turn: what a person said, and all that the agent did about it. */
export interface TurnHead {
  readonly kind: 'turn';
  readonly id: string;
  /** Counted from 1. */
  readonly number: number;
  readonly startedAt: string | undefined;
  /** Null while it goes on. */
  readonly endedAt: string | null;
  readonly steps: number;
  /** Tokens read and written, cached or not. */
  readonly tokens: number;
}

/** A tool use with everything that belongs to it. */
export interface ToolRow {
  readonly kind: 'tool';
  readonly id: string;
  readonly use: ToolUse;
  readonly result: ToolResult | undefined;
  readonly answer: EventOf<'user.tool_confirmation'> | undefined;
  /** The newest picture of the whole screen before it, where coordinates are places. */
  readonly before: Screenshot | undefined;
  readonly after: Screenshot | undefined;
}

/** A tool that the client runs, and what the client answered. */
export interface CustomRow {
  readonly kind: 'custom';
  readonly id: string;
  readonly use: EventOf<'agent.custom_tool_use'>;
  readonly result: EventOf<'user.custom_tool_result'> | undefined;
}

/** A takeover from beginning to end. */
export interface TakeoverRow {
  readonly kind: 'takeover';
  readonly id: string;
  readonly started: EventOf<'sandbox.takeover_started'>;
  readonly inputs: readonly EventOf<'sandbox.takeover_input'>[];
  readonly ended: EventOf<'sandbox.takeover_ended'> | undefined;
  readonly after: Screenshot | undefined;
}

/** An event that is shown as it is: a message, a thought, an error, or a note. */
export interface EventRow {
  readonly kind: 'message' | 'thought' | 'error' | 'note';
  readonly id: string;
  readonly event: SessionEvent;
}

/** One row of the list of turns. `id` is that of the event that began it. */
export type Row = TurnHead | ToolRow | CustomRow | TakeoverRow | EventRow;

export interface Turns {
  readonly rows: readonly Row[];
  /** For each event that is shown, the index of its row. */
  readonly rowOf: ReadonlyMap<string, number>;
}
