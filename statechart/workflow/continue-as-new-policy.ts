/** When a run continues as new. */
export interface ContinueAsNewPolicy {
  /** The number of history events. Default: when the server suggests it. */
  readonly after?: number;
  /**
   * The number of history events after which the run no longer waits for a moment without running actors. Activities in flight
   * are then started again in the next run under the same number, so they must be keyed by it. Default 10,240.
   */
  readonly atMost?: number;
  /**
   * The largest state in bytes of JSON that is handed to a next run; a run with a larger one goes on as it is and says so.
   * Default 1,900,000, as Temporal takes 2 MiB.
   */
  readonly maxBytes?: number;
}
