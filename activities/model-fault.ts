import { ApiError, type RequestModelInput, type RequestModelOutcome } from '@steadyhand/contracts';
import {
  modelRequestEnd,
  type NewEvent,
  type ReplyUsage,
  sessionError,
  type SessionErrorType,
  spanUsage,
  statusRescheduled,
} from '@steadyhand/sessions';
import { providerWait } from './provider-wait.ts';

/** Failed requests in a row after which the turn ends, about half an hour. Limits and overloads never end it. */
export const MAX_FAULTS = 32;

/** A model step that has ended for good without a reply; the turn ends with this error. */
export interface RefusedStep {
  readonly type: 'refused';
  readonly error: { readonly type: string; readonly message: string };
}

/** The events and the outcome of a model step without a reply. */
export interface FailedStep {
  readonly events: readonly NewEvent[];
  readonly outcome: RequestModelOutcome | RefusedStep;
  readonly usage?: ReplyUsage;
}

/** Decides what follows from an error of the provider: a wait, or the end of the turn. */
export function failedRequest(
  error: unknown,
  { waits, faults }: Pick<RequestModelInput, 'waits' | 'faults'>,
  startId: string,
): FailedStep {
  const known = error instanceof ApiError ? error : unreadable(error);
  const isFault = known.type !== 'overloaded_error' && known.type !== 'rate_limit_error';
  if (!known.retryable || (isFault && faults + 1 >= MAX_FAULTS)) return refused(known, startId);
  return {
    events: [
      modelRequestEnd(startId, spanUsage(NOTHING), true),
      sessionError(sessionErrorType(known), known.message, 'retrying'),
      statusRescheduled(),
    ],
    outcome: {
      type: 'wait',
      ms: providerWait(known.retryAfterMs, isFault ? faults : waits),
      fault: isFault,
    },
  };
}

/**
 * The end of a step without a usable reply.
 * @param usage the usage of a reply that came all the same, because it was paid for
 */
export function refused(
  { type, message }: { readonly type: string; readonly message: string },
  startId: string,
  usage?: ReplyUsage,
): FailedStep {
  return {
    events: [modelRequestEnd(startId, spanUsage(usage ?? NOTHING), true)],
    outcome: { type: 'refused', error: { type, message } },
    ...(usage === undefined ? {} : { usage }),
  };
}

const NOTHING: ReplyUsage = { input_tokens: 0, output_tokens: 0 };

/** A fault of this program in reading the reply. It is not retried: the next reply would cost as much and be read no better. */
function unreadable(error: unknown): ApiError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ApiError('api_error', `The model's reply could not be read: ${reason}`, {
    retryable: false,
    cause: error,
  });
}

function sessionErrorType(error: ApiError): SessionErrorType {
  if (error.type === 'overloaded_error') return 'model_overloaded_error';
  return error.type === 'rate_limit_error' ? 'model_rate_limited_error' : 'model_request_failed_error';
}
