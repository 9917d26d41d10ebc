import type { temporal } from '@temporalio/proto';
import type { RetryPolicyRecord } from '../mutable-state/record.ts';
import { validMs } from '../protocol/durations.ts';
import { TimeoutType } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { duration, toMs } from '../protocol/values.ts';

type RetryPolicy = temporal.api.common.v1.IRetryPolicy;

/** Fills in the server's defaults: 1 s, coefficient 2, at most 100 times the first interval, no limit of attempts. */
export function normaliseRetryPolicy(policy: RetryPolicy): RetryPolicyRecord {
  const initialIntervalMs = toMs(policy.initialInterval) || 1000;
  return {
    initialIntervalMs,
    backoffCoefficient: policy.backoffCoefficient || 2,
    maximumIntervalMs: toMs(policy.maximumInterval) || 100 * initialIntervalMs,
    maximumAttempts: policy.maximumAttempts ?? 0,
    nonRetryableErrorTypes: [...(policy.nonRetryableErrorTypes ?? [])],
  };
}

export function validateRetryPolicy(policy: RetryPolicy | null | undefined): void {
  if (!policy || policy.maximumAttempts === 1) return;
  const interval = (name: 'initialInterval' | 'maximumInterval'): number =>
    validMs(
      policy[name],
      (problem) => `invalid ${name.charAt(0).toUpperCase()}${name.slice(1)} set on retry policy: ${problem}`,
    );
  const initial = interval('initialInterval');
  if ((policy.backoffCoefficient || 1) < 1) {
    throw invalidArgument('BackoffCoefficient cannot be less than 1 on retry policy.');
  }
  const maximum = interval('maximumInterval');
  if (maximum > 0 && maximum < initial) {
    throw invalidArgument('MaximumInterval cannot be less than InitialInterval on retry policy.');
  }
  if ((policy.maximumAttempts ?? 0) < 0) {
    throw invalidArgument('MaximumAttempts cannot be negative on retry policy.');
  }
  for (const type of policy.nonRetryableErrorTypes ?? []) checkTimeoutType(type);
}

const TIMEOUT_PREFIX = 'TemporalTimeout:';

/** Checks the name of a failure that is not retried, where it names a timeout. */
function checkTimeoutType(type: string): void {
  if (!type.startsWith(TIMEOUT_PREFIX)) return;
  const name = type.slice(TIMEOUT_PREFIX.length);
  const constant = name.includes('_')
    ? name
    : `TIMEOUT_TYPE_${name.replaceAll(/(?<=.)([A-Z])/g, '_$1').toUpperCase()}`;
  const known: unknown = Object.entries(TimeoutType).find(([key]) => key === constant)?.[1];
  if (!known) throw invalidArgument(`Invalid timeout type value: ${name}.`);
}

export function toRetryPolicy(record: RetryPolicyRecord): RetryPolicy {
  return {
    initialInterval: duration(record.initialIntervalMs),
    backoffCoefficient: record.backoffCoefficient,
    maximumInterval: duration(record.maximumIntervalMs),
    ...(record.maximumAttempts > 0 && { maximumAttempts: record.maximumAttempts }),
    ...(record.nonRetryableErrorTypes.length > 0 && {
      nonRetryableErrorTypes: [...record.nonRetryableErrorTypes],
    }),
  };
}

/** Answers the wait before the attempt after `attempt`, in ms. */
export function retryIntervalMs(policy: RetryPolicyRecord, attempt: number): number {
  const grown = policy.initialIntervalMs * policy.backoffCoefficient ** (attempt - 1);
  return Math.min(grown, policy.maximumIntervalMs);
}
