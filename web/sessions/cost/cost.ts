import type { SessionEvent } from '../../client/api.ts';
import { timeOf } from '../turns/event-types.ts';

/** Tokens of model requests, as their spans tell. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWritten: number;
}

/** Milliseconds by what they went into. */
export interface TimeSpent {
  readonly model: number;
  readonly tools: number;
  /** For a person: approvals and takeovers. */
  readonly person: number;
}

export interface TurnCost extends Tokens {
  readonly turn: number;
  /** The event that began it. */
  readonly event: string;
  readonly requests: number;
  readonly failed: number;
  readonly time: TimeSpent;
}

type Open<T> = { -readonly [F in keyof T]: T[F] extends TimeSpent ? Open<TimeSpent> : T[F] };

/** What each turn cost; a turn is what follows a message until the session is idle again. */
export function costsOf(events: readonly SessionEvent[]): readonly TurnCost[] {
  const turns: Open<TurnCost>[] = [];
  let open = false;
  const begun = new Map<string, number>();
  const began = (id: string, event: SessionEvent): void => {
    const at = Date.parse(timeOf(event) ?? '');
    if (!Number.isNaN(at)) begun.set(id, at);
  };
  const since = (id: string, event: SessionEvent): number => {
    const from = begun.get(id);
    begun.delete(id);
    const to = Date.parse(timeOf(event) ?? '');
    return from === undefined || Number.isNaN(to) ? 0 : Math.max(0, to - from);
  };
  for (const event of events) {
    if (event.type === 'user.message' && !open) {
      turns.push({ turn: turns.length + 1, event: event.id, ...NOTHING, time: { ...NO_TIME } });
      open = true;
    }
    if (event.type === 'session.status_idle' && event.stop_reason.type !== 'requires_action') open = false;
    const turn = turns.at(-1);
    if (turn === undefined) continue;
    switch (event.type) {
      case 'span.model_request_start':
        began(event.id, event);
        break;
      case 'span.model_request_end': {
        const { model_usage: used } = event;
        turn.requests += 1;
        if (event.is_error === true) turn.failed += 1;
        turn.input += used.input_tokens;
        turn.output += used.output_tokens;
        turn.cacheRead += used.cache_read_input_tokens;
        turn.cacheWritten += used.cache_creation_input_tokens;
        turn.time.model += since(event.model_request_start_id, event);
        break;
      }
      case 'agent.tool_use':
        began(event.id, event);
        break;
      case 'user.tool_confirmation':
        turn.time.person += since(event.tool_use_id, event);
        // From here on the tool itself is waited for.
        began(event.tool_use_id, event);
        break;
      case 'agent.tool_result':
        turn.time.tools += since(event.tool_use_id, event);
        break;
      case 'sandbox.takeover_ended':
        turn.time.person += event.duration_ms;
        break;
      default:
    }
  }
  return turns;
}

const NO_TIME: TimeSpent = { model: 0, tools: 0, person: 0 };
const NOTHING = { requests: 0, failed: 0, input: 0, output: 0, cacheRead: 0, cacheWritten: 0 };

/** All turns together. */
export function sumOf(costs: readonly TurnCost[]): Omit<TurnCost, 'turn' | 'event'> {
  const sum = { ...NOTHING, time: { ...NO_TIME } };
  for (const cost of costs) {
    for (const field of ['requests', 'failed', 'input', 'output', 'cacheRead', 'cacheWritten'] as const)
      sum[field] += cost[field];
    for (const field of ['model', 'tools', 'person'] as const) sum.time[field] += cost.time[field];
  }
  return sum;
}

/** All tokens read and written, cached or not, as a token limit counts them. */
export function totalOf({ input, output, cacheRead, cacheWritten }: Tokens): number {
  return input + output + cacheRead + cacheWritten;
}
