import type { temporal } from '@temporalio/proto';
import { ACTIVITY_TIMEOUTS } from '../mutable-state/activity-deadline.ts';
import type { RetryPolicyRecord } from '../mutable-state/record.ts';
import { RetryState } from '../protocol/proto.ts';
import { toMs } from '../protocol/values.ts';
import { retryIntervalMs } from './retry-policy.ts';

type Failure = temporal.api.failure.v1.IFailure;

export type RetryDecision =
  | { readonly retry: true; readonly intervalMs: number }
  | { readonly retry: false; readonly state: temporal.api.enums.v1.RetryState };

/**
 * Decides whether an attempt that ended with `failure` is followed by another, for activities and workflows alike.
 * Before `deadline` (ms since the epoch) everything must be over, because of a schedule-to-close or execution timeout.
 */
export function decideRetry(input: {
  policy: RetryPolicyRecord | undefined;
  attempt: number;
  failure: Failure | undefined;
  now: number;
  deadline: number | undefined;
}): RetryDecision {
  const { policy, attempt, failure, now, deadline } = input;
  if (!policy) return { retry: false, state: RetryState.RETRY_STATE_RETRY_POLICY_NOT_SET };
  if (failure && !isRetryable(failure, policy.nonRetryableErrorTypes)) {
    return { retry: false, state: RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE };
  }
  if (policy.maximumAttempts > 0 && attempt >= policy.maximumAttempts) {
    return { retry: false, state: RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED };
  }
  const asked = failure?.applicationFailureInfo?.nextRetryDelay;
  const intervalMs = asked ? toMs(asked) : retryIntervalMs(policy, attempt);
  if (deadline !== undefined && now + intervalMs > deadline) {
    return { retry: false, state: RetryState.RETRY_STATE_TIMEOUT };
  }
  return { retry: true, intervalMs };
}

/** The timeouts after which another attempt may follow, as retry policies name them. */
const RETRIED_TIMEOUTS: ReadonlyMap<number, string> = new Map(
  [ACTIVITY_TIMEOUTS['start-to-close'], ACTIVITY_TIMEOUTS.heartbeat].map(({ type, name }) => [type, name]),
);

function isRetryable(failure: Failure, nonRetryableTypes: readonly string[]): boolean {
  if (failure.terminatedFailureInfo || failure.canceledFailureInfo) return false;
  if (failure.timeoutFailureInfo) {
    const name = RETRIED_TIMEOUTS.get(failure.timeoutFailureInfo.timeoutType ?? 0);
    return name !== undefined && !nonRetryableTypes.includes(`TemporalTimeout:${name}`);
  }
  if (failure.serverFailureInfo) return !failure.serverFailureInfo.nonRetryable;
  const application = failure.applicationFailureInfo;
  if (!application) return true;
  return !application.nonRetryable && !nonRetryableTypes.includes(application.type ?? '');
}
