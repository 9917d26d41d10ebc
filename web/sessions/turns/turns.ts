import type { SessionEvent } from '../../client/api.ts';
import { type Screenshot, screenshotsOf } from '../time/screenshots.ts';
import { type EventOf, timeOf } from './event-types.ts';
import type { CustomRow, EventRow, Row, TakeoverRow, ToolRow, TurnHead, Turns } from './rows.ts';

/** A row while its events still come. */
type Open<R extends Row> = { -readonly [F in keyof R]: R[F] };
type OpenRow = Open<TurnHead> | Open<ToolRow> | Open<CustomRow> | Open<TakeoverRow> | EventRow;

/** Turns a log into the rows that people read: tool uses with their results, takeovers from beginning to end. */
export function turnsOf(events: readonly SessionEvent[]): Turns {
  const builder = new Builder(screenshotsOf(events));
  for (const event of events) builder.take(event);
  return { rows: builder.rows, rowOf: builder.rowOf };
}

/** Stop reasons after which a turn is over, of which there is something to say. */
const TOLD: ReadonlySet<string> = new Set(['budget_reached', 'retries_exhausted', 'refusal']);

class Builder {
  readonly rows: OpenRow[] = [];
  readonly rowOf = new Map<string, number>();
  readonly #shots = new Map<string, Screenshot>();
  #head: Open<TurnHead> | undefined;
  #count = 0;
  /** The newest picture of the whole screen so far. */
  #screen: Screenshot | undefined;
  #takeover: Open<TakeoverRow> | undefined;
  #takeoverIndex = 0;

  constructor(shots: readonly Screenshot[]) {
    for (const shot of shots) this.#shots.set(shot.event, shot);
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'user.message':
        this.#begin(event);
        return this.#add({ kind: 'message', id: event.id, event });
      case 'agent.message':
      case 'system.message':
        return this.#step({ kind: 'message', id: event.id, event });
      case 'agent.thinking':
        return this.#step({ kind: 'thought', id: event.id, event });
      case 'session.error':
        return this.#step({ kind: 'error', id: event.id, event });
      case 'agent.tool_use':
        return this.#step({
          kind: 'tool',
          id: event.id,
          use: event,
          result: undefined,
          answer: undefined,
          before: this.#screen,
          after: undefined,
        });
      case 'agent.custom_tool_use':
        return this.#step({ kind: 'custom', id: event.id, use: event, result: undefined });
      case 'agent.tool_result':
      case 'user.custom_tool_result':
      case 'user.tool_confirmation':
        return this.#complete(event);
      case 'sandbox.takeover_started':
      case 'sandbox.takeover_input':
      case 'sandbox.takeover_ended':
        return this.#takeOver(event);
      case 'span.model_request_end': {
        const { model_usage: used } = event;
        if (this.#head !== undefined)
          this.#head.tokens +=
            used.input_tokens +
            used.output_tokens +
            used.cache_creation_input_tokens +
            used.cache_read_input_tokens;
        return;
      }
      case 'session.status_idle':
        if (TOLD.has(event.stop_reason.type)) this.#add({ kind: 'note', id: event.id, event });
        if (event.stop_reason.type !== 'requires_action') this.#end(event);
        return;
      case 'session.status_terminated':
        this.#add({ kind: 'note', id: event.id, event });
        return this.#end(event);
      case 'user.interrupt':
      case 'user.grant_withdrawn':
      case 'session.status_rescheduled':
      case 'sandbox.waiting':
      case 'sandbox.replaced':
        return this.#add({ kind: 'note', id: event.id, event });
      case 'sandbox.network_request':
        if (event.verdict === 'denied') this.#add({ kind: 'note', id: event.id, event });
        return;
      default:
      // Bookkeeping: the log shows it.
    }
  }

  /** A message begins a turn unless one is under way. */
  #begin(event: SessionEvent): void {
    if (this.#head?.endedAt === null) return;
    this.#head = {
      kind: 'turn',
      id: `turn-${event.id}`,
      number: ++this.#count,
      startedAt: timeOf(event),
      endedAt: null,
      steps: 0,
      tokens: 0,
    };
    this.rows.push(this.#head);
  }

  #end(event: SessionEvent): void {
    if (this.#head?.endedAt === null) this.#head.endedAt = timeOf(event) ?? null;
  }

  #add(row: OpenRow): void {
    this.rowOf.set(row.id, this.rows.length);
    this.rows.push(row);
  }

  #step(row: OpenRow): void {
    if (this.#head !== undefined) this.#head.steps += 1;
    this.#add(row);
  }

  #complete(
    event: EventOf<'agent.tool_result' | 'user.custom_tool_result' | 'user.tool_confirmation'>,
  ): void {
    const id = event.type === 'user.custom_tool_result' ? event.custom_tool_use_id : event.tool_use_id;
    const index = this.rowOf.get(id);
    const row = index === undefined ? undefined : this.rows[index];
    if (index !== undefined) this.rowOf.set(event.id, index);
    if (row?.kind === 'custom' && event.type === 'user.custom_tool_result') row.result = event;
    if (row?.kind === 'tool' && event.type === 'user.tool_confirmation') row.answer = event;
    if (event.type !== 'agent.tool_result') return;
    const after = this.#seen(event.id);
    if (row?.kind !== 'tool') return;
    row.result = event;
    row.after = after;
  }

  #takeOver(
    event: EventOf<'sandbox.takeover_started' | 'sandbox.takeover_input' | 'sandbox.takeover_ended'>,
  ): void {
    if (event.type === 'sandbox.takeover_started') {
      this.#takeover = {
        kind: 'takeover',
        id: event.id,
        started: event,
        inputs: [],
        ended: undefined,
        after: undefined,
      };
      this.#takeoverIndex = this.rows.length;
      return this.#add(this.#takeover);
    }
    const after = this.#seen(event.id);
    if (this.#takeover === undefined) return;
    this.rowOf.set(event.id, this.#takeoverIndex);
    if (event.type === 'sandbox.takeover_input') this.#takeover.inputs = [...this.#takeover.inputs, event];
    else {
      this.#takeover.ended = event;
      this.#takeover.after = after;
    }
  }

  /** The picture that an event brought; what comes next happens on it. */
  #seen(event: string): Screenshot | undefined {
    const shot = this.#shots.get(event);
    if (shot?.whole === true) this.#screen = shot;
    return shot;
  }
}
