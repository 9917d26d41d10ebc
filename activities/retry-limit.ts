import { ApplicationFailure, Context } from '@temporalio/activity';
import type { SessionRef } from '@steadyhand/contracts';
import { final, toFailure } from './failures.ts';
import { type Activity, SESSION_MISSING } from './missing-session.ts';
import { stepKey } from './step-key.ts';

/** How long a step may go on failing: longer than a server, a sandbox or a pool machine needs to come back. */
const LIMIT_MS = 120_000;
/** Fewer failures than this never end a step, however much time lies between them. */
const MIN_FAILURES = 5;
/** The number of steps whose failures are remembered; the oldest is forgotten first. */
const MAX_STEPS = 1000;

interface FailingStep {
  readonly since: number;
  failures: number;
}

/**
 * Tells when a step has failed for too long. It counts the failures that were thrown in this process: an attempt that is lost
 * with its worker is no failure of the step, so that no number of crashes ends one.
 */
export class RetryLimit {
  readonly #failing = new Map<string, FailingStep>();
  readonly #limitMs: number;
  readonly #now: () => number;

  /** @param now monotonic milliseconds */
  constructor(limitMs = LIMIT_MS, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /** Counts a failure of the step; true when it is one too many. */
  isExceeded(step: string): boolean {
    const known = this.#failing.get(step) ?? { since: this.#now(), failures: 0 };
    known.failures += 1;
    this.#failing.set(step, known);
    for (const oldest of this.#failing.keys()) {
      if (this.#failing.size <= MAX_STEPS) break;
      this.#failing.delete(oldest);
    }
    return known.failures >= MIN_FAILURES && this.#now() - known.since >= this.#limitMs;
  }

  /** Drops the counts of a step that has ended, with or without success. */
  forget(step: string): void {
    this.#failing.delete(step);
  }
}

/**
 * The same activity with its errors as failures, given up when it has failed for too long: Temporal would try it for ever, and
 * a session whose sandbox or store is broken would stay `running` all that time. Its turn then ends with the last error.
 */
export function withRetryLimit<Input extends SessionRef, Outcome>(
  activity: Activity<Input, Outcome>,
  limit = new RetryLimit(),
): Activity<Input, Outcome> {
  return async (input, invocation) => {
    const step = `${input.session}/${stepKey(input, invocation)}`;
    try {
      const outcome = await activity(input, invocation);
      limit.forget(step);
      return outcome;
    } catch (error) {
      const failure = toFailure(error);
      const ends = isNonRetryable(failure) || Context.current().cancellationSignal.aborted;
      // A session that is not here is never ended for that.
      if (isMissing(failure) || (!ends && !limit.isExceeded(step))) throw failure;
      limit.forget(step);
      throw ends || !(failure instanceof Error) ? failure : final(failure.name, failure);
    }
  };
}

const isMissing = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.type === SESSION_MISSING;

const isNonRetryable = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.nonRetryable === true;
