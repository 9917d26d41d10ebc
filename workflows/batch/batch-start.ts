/** The one argument of a batch's workflow. */
export interface BatchStart {
  /** `msgbatch_...` */
  readonly batch: string;
  /** The number of its requests. */
  readonly requests: number;
  /** Milliseconds since 1970. A request without a result at this time never gets one. */
  readonly expiresAt: number;
  /** The number of requests that are under way at a time. */
  readonly lanes: number;
  /** The task queue of the activities that answer requests. Default: the workflow's own. */
  readonly taskQueue?: string;
  /** The number of history events after which a run continues as new. Default: when the server suggests it. */
  readonly continueAfter?: number;
  /** Written by continue-as-new; callers leave it out. */
  readonly progress?: BatchProgress;
}

/** A request that was asked and is to be asked again. */
export interface HeldRequest {
  readonly position: number;
  readonly waits: number;
  readonly faults: number;
  /** When it may be asked again, in milliseconds since 1970. */
  readonly at: number;
}

/** Where the next run goes on. */
export interface BatchProgress {
  /** The first request that was never asked. */
  readonly next: number;
  readonly held: readonly HeldRequest[];
}
