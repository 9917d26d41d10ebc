import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Metrics } from '@steadyhand/telemetry';

/** Counts every attempt at a step, and the waits for providers that steps ask for. */
export function stepInterceptor({ steps, models }: Metrics): ActivityInterceptorsFactory {
  return ({ info, cancellationSignal }) => ({
    inbound: {
      async execute(input, next) {
        const step = steps.begins(
          info.activityType,
          (Date.now() - info.currentAttemptScheduledTimestampMs) / 1000,
        );
        try {
          const outcome = await next(input);
          step.ended('ok');
          if (isWait(outcome)) models.waits(outcome.fault ? 'fault' : 'limit', outcome.ms / 1000);
          return outcome;
        } catch (error) {
          step.ended(cancellationSignal.aborted ? 'cancelled' : 'failed');
          throw error;
        }
      },
    },
  });
}

/** The outcome of a model request that is to be made again later. */
function isWait(outcome: unknown): outcome is { readonly fault: boolean; readonly ms: number } {
  return (
    typeof outcome === 'object' &&
    outcome !== null &&
    'type' in outcome &&
    outcome.type === 'wait' &&
    'ms' in outcome
  );
}
