import type { StreamEvent, ToolUseBlock, Usage } from '../api/api-types.ts';
import { ProviderUnavailableError } from '../api/errors.ts';
import { isRecord } from '../api/is-record.ts';
import type { ModelProvider, ReplyOptions } from '../providers/provider.ts';
import { collectMessage, isCut } from '../stream/collect-message.ts';
import { addUsage } from './add-usage.ts';
import { askAgain, givenUp, isEmpty, isThinking, MOST_REASKS, optionsOf, type Refusal } from './ask-again.ts';
import type { BridgePlan } from './plan.ts';

type Of<T extends StreamEvent['type']> = Extract<StreamEvent, { type: T }>;

/** A tool use that is held back until its input is complete. */
interface Held {
  readonly block: ToolUseBlock;
  json: string;
}

/** The deltas hold the input; a block without deltas holds it itself. */
function inputOf({ block, json }: Held): unknown {
  return json === '' ? block.input : JSON.parse(json);
}

/** Translates one streamed reply of the upstream for the client. */
class ReplyTranslator {
  readonly #plan: BridgePlan;
  readonly #reasks: number;
  /** The index that the client's next block will have. */
  next: number;
  /** All events of the upstream, which are needed when the bridge answers the reply itself. */
  readonly events: StreamEvent[] = [];
  usage: Partial<Usage> = {};
  refusal: Refusal | undefined;
  /** Whether the client has got a tool use and will answer it. */
  shown = false;
  end: Of<'message_delta'> | undefined;
  #held: Held | undefined;
  /** A use with an empty input; only the next event tells whether it was cut off. */
  #unsure: ToolUseBlock | undefined;
  #unreadable: string | undefined;
  #skipping = false;

  constructor(plan: BridgePlan, reasks: number, next: number) {
    this.#plan = plan;
    this.#reasks = reasks;
    this.next = next;
  }

  *take(event: StreamEvent): Generator<StreamEvent, void, undefined> {
    this.events.push(event);
    switch (event.type) {
      case 'message_start':
        this.usage = { ...event.message.usage };
        if (this.#reasks === 0) yield event;
        return;
      case 'content_block_start':
        yield* this.#settle();
        yield* this.#open(event);
        return;
      case 'content_block_delta':
        if (this.#held !== undefined) {
          if (event.delta.type === 'input_json_delta') this.#held.json += event.delta.partial_json;
        } else if (!this.#skipping) yield { ...event, index: this.next };
        return;
      case 'content_block_stop':
        yield* this.#close(event);
        return;
      case 'message_delta':
        this.#finish(event);
        // The API gives a use that was cut off an empty input, which could be a valid one.
        if (!isCut(event.delta.stop_reason)) yield* this.#settle();
        return;
      case 'message_stop':
        return;
      default:
        // Pings and unknown events pass.
        yield event;
    }
  }

  *#open(event: Of<'content_block_start'>): Generator<StreamEvent, void, undefined> {
    const { content_block: block } = event;
    this.#skipping = this.refusal !== undefined || (this.#reasks > 0 && isThinking(block));
    if (this.#skipping) return;
    if (block.type === 'tool_use' && this.#plan.maps(block)) {
      this.#held = { block, json: '' };
      return;
    }
    if (block.type === 'tool_use') this.shown = true;
    yield { ...event, index: this.next };
  }

  *#close(event: Of<'content_block_stop'>): Generator<StreamEvent, void, undefined> {
    const held = this.#held;
    if (held !== undefined) {
      this.#held = undefined;
      yield* this.#release(held);
    } else if (!this.#skipping) {
      yield { ...event, index: this.next };
      this.next += 1;
    }
  }

  *#release(held: Held): Generator<StreamEvent, void, undefined> {
    const { block } = held;
    let input: unknown;
    try {
      input = inputOf(held);
    } catch {
      // The end of the reply says whether the input was cut off by a limit or the upstream is at fault.
      this.#unreadable = block.id;
      return;
    }
    const use = { ...block, input };
    if (isEmpty(input)) this.#unsure = use;
    else yield* this.#give(use);
  }

  *#settle(): Generator<StreamEvent, void, undefined> {
    const use = this.#unsure;
    this.#unsure = undefined;
    if (use !== undefined) yield* this.#give(use);
  }

  *#give(use: ToolUseBlock): Generator<StreamEvent, void, undefined> {
    const { blocks, refused } = this.#plan.toClient(use);
    if (blocks === undefined) {
      this.refusal = { id: use.id, reason: refused };
      return;
    }
    for (const own of blocks) {
      this.shown = true;
      const index = this.next;
      this.next += 1;
      yield { type: 'content_block_start', index, content_block: { ...own, input: {} } };
      yield {
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(own.input) },
      };
      yield { type: 'content_block_stop', index };
    }
  }

  #finish(event: Of<'message_delta'>): void {
    if (this.#unreadable !== undefined && !isCut(event.delta.stop_reason)) {
      throw new ProviderUnavailableError(`the input of the tool use ${this.#unreadable} is no JSON`);
    }
    const told = Object.entries(isRecord(event.usage) ? event.usage : {}).filter(
      ([, count]) => count != null,
    );
    Object.assign(this.usage, Object.fromEntries(told));
    this.end = event;
  }
}

/** Puts the counts of all requests into the end of the reply; the counts of a stream are totals. */
function withUsage(event: Of<'message_delta'>, total: Partial<Usage>): Of<'message_delta'> {
  const { service_tier: _tier, speed: _speed, inference_geo: _geo, ...counts } = total;
  return { ...event, usage: { ...event.usage, ...counts } };
}

function* textBlock(index: number, text: string): Generator<StreamEvent, void, undefined> {
  yield { type: 'content_block_start', index, content_block: { type: 'text', text: '', citations: null } };
  yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
  yield { type: 'content_block_stop', index };
}

/**
 * Has a request answered through the bridge with a stream. Text and thinking pass as they come; a tool use that must be
 * translated waits until its input is complete. The bridge answers what the client cannot do itself, and the upstream's
 * next reply continues the same stream.
 */
export async function* bridgedStream(
  provider: ModelProvider,
  plan: BridgePlan,
  options: ReplyOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  let { request } = plan;
  let next = 0;
  let usage: Partial<Usage> | undefined;
  for (let reasks = 0; ; reasks += 1) {
    const reply = new ReplyTranslator(plan, reasks, next);
    for await (const event of provider.stream(request, optionsOf(options, reasks))) yield* reply.take(event);
    const { end, refusal } = reply;
    if (end === undefined) throw new ProviderUnavailableError('the stream of the upstream broke off');
    usage = usage === undefined ? reply.usage : addUsage(usage, reply.usage);
    next = reply.next;
    const last = reasks === 0 ? end : withUsage(end, usage);
    if (refusal === undefined || end.delta.stop_reason !== 'tool_use' || reply.shown) {
      yield last;
      break;
    }
    if (reasks === MOST_REASKS) {
      yield* textBlock(next, givenUp(refusal));
      yield { ...last, delta: { ...last.delta, stop_reason: 'end_turn' } };
      break;
    }
    request = askAgain(request, (await collectMessage(reply.events)).content, refusal);
  }
  yield { type: 'message_stop' };
}
