/** The one argument of a batch's workflow. */
export interface BatchStart {
  /** `msgbatch_...` */
  readonly batch: string;
  /** How many requests it has. */
  readonly requests: number;
  /** Milliseconds since 1970: what has no result by then never gets one. */
  readonly expiresAt: number;
  /** Requests under way at a time. */
  readonly lanes: number;
  /** Where requests are answered; the workflow's own queue without it. */
  readonly taskQueue?: string;
  /** Events of history after which a run makes way for the next; by default when the server suggests it. */
  readonly continueAfter?: number;
  /** Written by continue-as-new; callers leave it out. */
  readonly progress?: BatchProgress;
}

/** A request that was asked and is to be asked again. */
export interface HeldRequest {
  readonly position: number;
  readonly waits: number;
  readonly faults: number;
  /** Not before this moment, in milliseconds since 1970. */
  readonly at: number;
}

/** What the next run has to know. */
export interface BatchProgress {
  /** The first request that was never asked. */
  readonly next: number;
  readonly held: readonly HeldRequest[];
}
