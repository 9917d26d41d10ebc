/** What came of a tool use; `refused`: a rule did not let it pass. */
export type ToolUseEnd = 'done' | 'error' | 'interrupted' | 'unknown' | 'refused';

/** Learns what the activities do. */
export interface ActivityObserver {
  /** A tool use was tried in a sandbox, or refused before. */
  toolUsed(tool: string, end: ToolUseEnd, seconds: number): void;
}
