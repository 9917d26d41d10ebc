/** An action, and what has to be known to decide whether it may be performed. */
export interface GuardedAction<Outcome> {
  /** Title of the window that has the keyboard; null where there is none, and where there is no display. */
  windowTitle(): Promise<string | null>;
  /** Whether the action was begun before, under its key. No rule is applied to it then; its outcome is only asked for. */
  isKnown(): Promise<boolean>;
  /**
   * With a title the action is performed only while that window has the keyboard; otherwise this rejects with SandboxError
   * `window_changed`, and nothing was done.
   */
  perform(onlyIfWindow?: string | null): Promise<Outcome>;
}
