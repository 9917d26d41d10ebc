import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { answerRequest, errored, succeeded } from '@steadyhand/batches';
import {
  ApiError,
  type BatchActivities,
  type BatchEnding,
  type BatchRequestInput,
  type BatchRequestOutcome,
} from '@steadyhand/contracts';
import type { BatchRecord, StoredRequest, StoredResult } from '@steadyhand/store';
import { alone } from './alone.ts';
import type { BatchActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';
import { providerWait } from './provider-wait.ts';
import { SingleFlight } from './single-flight.ts';

/** The provider's faults after which a request ends, at least two minutes; rate limits and overloads do not count. */
const MAX_FAULTS = 8;
/** The attempts at a request after which a fault of this program ends it. */
const MAX_ATTEMPTS = 5;

/**
 * Answers one request of a batch. The result is recorded under the request's position before it counts: a retry that finds a
 * result does nothing more. A retry that finds none asks again, because asking has no effects.
 */
export function answerBatchRequest(deps: BatchActivityDeps): BatchActivities['answerBatchRequest'] {
  const flights = new SingleFlight<BatchRequestOutcome>();
  return async (input) =>
    await withHeartbeats((signal) => {
      const name = `${input.batch}/${input.position}`;
      return flights.run(name, signal, (aborted) =>
        alone(deps.store.leases, `batch/${name}`, aborted, () => answer(deps, input, aborted)),
      );
    });
}

async function answer(
  deps: BatchActivityDeps,
  input: BatchRequestInput,
  signal: AbortSignal,
): Promise<BatchRequestOutcome> {
  const { batch, position } = input;
  const { attempt } = Context.current().info;
  const found = await deps.store.batches.request(batch, position);
  if (found === undefined || found.result !== null) return { type: 'done' };
  const reason = closingReason(found.batch, (deps.now ?? Date.now)());
  if (reason !== undefined) return { type: 'closed', reason };
  const outcome = await ask(deps, input, found, signal, attempt);
  if ('ms' in outcome) return outcome;
  await deps.store.batches.record(batch, position, outcome);
  return { type: 'done' };
}

/** Why no request of the batch begins any more; undefined while requests begin. */
function closingReason({ status, expires_at }: BatchRecord, now: number): BatchEnding | undefined {
  if (status !== 'in_progress') return 'canceled';
  return now < Date.parse(expires_at) ? undefined : 'expired';
}

async function ask(
  { providers, files }: BatchActivityDeps,
  { batch, position, waits, faults }: BatchRequestInput,
  request: StoredRequest,
  signal: AbortSignal,
  attempt: number,
): Promise<StoredResult | Extract<BatchRequestOutcome, { ms: number }>> {
  const betas = request.batch.data['betas'] as readonly string[];
  try {
    const id = messageId(batch, position);
    return succeeded(await answerRequest(request.params, { providers, files, betas, signal, id }));
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof ApiError)) {
      // The store may have failed and work again, but a request that always fails must not hold up its batch.
      if (attempt < MAX_ATTEMPTS) throw error;
      return errored(new ApiError('api_error', 'Internal server error'));
    }
    if (error.type === 'rate_limit_error' || error.type === 'overloaded_error') {
      if (error.retryable) return { type: 'limited', ms: providerWait(error.retryAfterMs, waits) };
    } else if (error.retryable && faults + 1 < MAX_FAULTS) {
      return { type: 'failed', ms: providerWait(error.retryAfterMs, faults) };
    }
    return errored(error);
  }
}

/** The id of the reply's message, the same for every attempt. */
function messageId(batch: string, position: number): string {
  const digest = createHash('sha256').update(`${batch}/${position}`).digest('base64url');
  return `msg_${digest.replaceAll(/[-_]/g, '').slice(0, 24)}`;
}
