import type { Message } from '../../api/api-types.ts';
import { ProviderOverloadedError, ProviderUnavailableError } from '../../api/errors.ts';

export type Ending = Pick<Message, 'stop_reason' | 'stop_sequence' | 'stop_details'>;

interface EndingFacts {
  /** The upstream's `finish_reason`. */
  readonly finish: string | undefined;
  /** The number of tool calls in the reply. */
  readonly calls: number;
  /** The text of the model's refusal. */
  readonly refusal: string;
  readonly stoppedAt: string | undefined;
  /** The stop sequences of the request. */
  readonly stopSequences: readonly string[];
}

/** These reasons mean that there is no whole reply. */
const BROKEN = ['error', 'abort', 'aborted', 'cancelled', 'canceled'];

function of(stop_reason: NonNullable<Message['stop_reason']>, stop_sequence: string | null = null): Ending {
  return { stop_reason, stop_sequence, stop_details: null };
}

function refused(explanation: string): Ending {
  return {
    stop_reason: 'refusal',
    stop_sequence: null,
    stop_details: {
      type: 'refusal',
      category: null,
      explanation: explanation === '' ? null : explanation,
      fallback_credit_token: null,
      fallback_has_prefill_claim: null,
      recommended_model: null,
    },
  };
}

/**
 * Translates the end of a reply. Servers agree only on `length` and `content_filter`: a reply with tool calls may end
 * with `stop`, and one without them with `tool_calls`.
 *
 * @throws {ProviderUnavailableError} when the upstream gave up
 * @throws {ProviderOverloadedError} when the upstream ran out of capacity
 */
export function ending({ finish, calls, refusal, stoppedAt, stopSequences }: EndingFacts): Ending {
  if (finish === 'insufficient_system_resource') {
    throw new ProviderOverloadedError('the upstream ran out of capacity within the reply');
  }
  if (finish !== undefined && BROKEN.includes(finish)) {
    throw new ProviderUnavailableError(`the upstream gave up within the reply (${finish})`);
  }
  if (finish === 'content_filter' || refusal !== '') return refused(refusal);
  if (finish === 'length') return of('max_tokens');
  if (calls > 0) return of('tool_use');
  if (stoppedAt !== undefined && stopSequences.includes(stoppedAt)) return of('stop_sequence', stoppedAt);
  return of('end_turn');
}
