import type { ContentBlock, ContentBlockParam, Message, StreamEvent, Usage } from '../../api/api-types.ts';
import { ProviderUnavailableError } from '../../api/errors.ts';
import type { ModelRequest } from '../../api/request.ts';
import { countUsage } from '../../tokens/request-tokens.ts';
import { CallList, isComplete, type PendingCall, ToolUseIds } from './tool-calls.ts';
import type { ChatDelta, Counts } from './chat-delta.ts';
import type { ChatTools } from './chat-tools.ts';
import { ending, type Ending } from './ending.ts';
import { inputOf } from './tool-arguments.ts';

interface BuilderOptions {
  readonly request: ModelRequest;
  /** `msg_...` */
  readonly id: string;
  readonly tools: ChatTools;
  /** Whether reasoning becomes thinking blocks. */
  readonly thinks: boolean;
}

/**
 * Builds a reply of the Messages API, event by event, from a chat completion. Blocks come one after the other, so a
 * call that arrives interleaved with others waits for those before it. A call's arguments are held until they are
 * complete, so that invalid JSON never reaches the client as an input.
 */
export class ReplyBuilder {
  readonly #options: BuilderOptions;
  readonly #content: ContentBlock[] = [];
  readonly #calls = new CallList();
  readonly #ids: ToolUseIds;
  #open: 'text' | 'thinking' | 'call' | undefined;
  /** The index of the next call. */
  #turn = 0;
  /** White space at the beginning of a text, held back since a block of nothing else is not allowed. */
  #held = '';
  /** Text that came after tool calls. */
  #after = '';
  #refusal = '';
  #finish: string | undefined;
  #stoppedAt: string | undefined;
  #counts: Counts | undefined;
  #isCounted = false;
  /** The last local count, kept because counting a long conversation takes milliseconds. */
  #counted: Usage | undefined;

  constructor(options: BuilderOptions) {
    this.#options = options;
    this.#ids = new ToolUseIds(options.id, options.request.messages);
  }

  /** Whether the upstream has said how the reply ended. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  /** Whether the final counts have come; earlier counts cover only a part of the reply. */
  get isCounted(): boolean {
    return this.#isCounted;
  }

  start(): StreamEvent {
    const usage = { ...countUsage(this.#options.request, []), output_tokens: 0 };
    this.#counted = usage;
    return { type: 'message_start', message: this.#message({ usage, ending: undefined, content: [] }) };
  }

  *take(delta: ChatDelta): Generator<StreamEvent, void, undefined> {
    if (this.#options.thinks && delta.thinking !== '') yield* this.#think(delta.thinking);
    if (delta.text !== '') yield* this.#say(delta.text);
    if (delta.refusal !== '') {
      this.#refusal += delta.refusal;
      yield* this.#say(delta.refusal);
    }
    for (const call of delta.calls) this.#calls.take(call);
    if (delta.calls.length > 0) yield* this.#advance();
    this.#finish = delta.finish ?? this.#finish;
    this.#stoppedAt = delta.stoppedAt ?? this.#stoppedAt;
    this.#counts = delta.counts ?? this.#counts;
    this.#isCounted ||= this.isFinished && delta.counts !== undefined;
  }

  /** Emits everything that was held back, and the end of the reply. */
  *end(): Generator<StreamEvent, void, undefined> {
    for (const call of this.#wanted().slice(this.#turn)) yield* this.#closeCall(call);
    yield* this.#closeText();
    if (this.#after.trim() !== '') {
      yield* this.#openBlock({ type: 'text', text: '', citations: null });
      yield* this.#extend(this.#after);
      yield* this.#closeText();
    }
    const { stop_reason, stop_sequence, stop_details } = this.#ending();
    yield {
      type: 'message_delta',
      context_management: null,
      delta: { container: null, stop_details, stop_reason, stop_sequence },
      usage: this.#usage(),
    } as StreamEvent;
    yield { type: 'message_stop' };
  }

  /** The whole reply, once it has ended. */
  message(): Message {
    return this.#message({ usage: this.#usage(), ending: this.#ending(), content: this.#content });
  }

  #message({
    usage,
    ending: end,
    content,
  }: {
    usage: Usage;
    ending: Ending | undefined;
    content: ContentBlock[];
  }): Message {
    return {
      id: this.#options.id,
      type: 'message',
      role: 'assistant',
      model: this.#options.request.model,
      content,
      stop_reason: end?.stop_reason ?? null,
      stop_sequence: end?.stop_sequence ?? null,
      stop_details: end?.stop_details ?? null,
      container: null,
      context_management: null,
      diagnostics: null,
      usage,
    };
  }

  #ending(): Ending {
    return ending({
      finish: this.#finish,
      calls: this.#wanted().length,
      refusal: this.#refusal,
      stoppedAt: this.#stoppedAt,
      stopSequences: this.#options.request.stop_sequences ?? [],
    });
  }

  /** The upstream's counts, or the local estimate where it sent none. */
  #usage(): Usage {
    const counts = this.#counts;
    if (counts === undefined || this.#counted === undefined) {
      this.#counted = countUsage(this.#options.request, this.#content as ContentBlockParam[]);
    }
    const counted = this.#counted;
    if (counts === undefined) return counted;
    return {
      ...counted,
      input_tokens: counts.input - counts.cached,
      cache_read_input_tokens: counts.cached,
      output_tokens: counts.output,
      output_tokens_details: counts.reasoning === undefined ? null : { thinking_tokens: counts.reasoning },
    };
  }

  /** The calls that the reply may hold, which is only the first where the request allows no more. */
  #wanted(): readonly PendingCall[] {
    const choice = this.#options.request.tool_choice;
    const single =
      choice !== undefined && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use;
    return single === true ? this.#calls.calls.slice(0, 1) : this.#calls.calls;
  }

  *#think(words: string): Generator<StreamEvent, void, undefined> {
    if (this.#calls.calls.length > 0) return;
    if (this.#open !== 'thinking') {
      yield* this.#closeText();
      yield* this.#openBlock({ type: 'thinking', thinking: '', signature: '' });
    }
    yield* this.#extend(words);
  }

  *#say(words: string): Generator<StreamEvent, void, undefined> {
    if (this.#calls.calls.length > 0) {
      this.#after += words;
      return;
    }
    if (this.#open !== 'text') {
      this.#held += words;
      if (this.#held.trim() === '') return;
      yield* this.#closeText();
      yield* this.#openBlock({ type: 'text', text: '', citations: null });
      yield* this.#extend(this.#held);
      this.#held = '';
      return;
    }
    yield* this.#extend(words);
  }

  /** Opens the next call, and closes complete calls while others wait. */
  *#advance(): Generator<StreamEvent, void, undefined> {
    const calls = this.#wanted();
    for (;;) {
      const call = calls[this.#turn];
      if (call === undefined || call.name === '') return;
      if (this.#open !== 'call') yield* this.#openCall(call);
      // The last call is not parsed here, since that would take quadratic time over all its parts.
      if (this.#turn === calls.length - 1) return;
      // Missing arguments may still come.
      if (call.arguments === '' || !isComplete(call)) return;
      yield* this.#closeCall(call);
    }
  }

  *#openCall(call: PendingCall): Generator<StreamEvent, void, undefined> {
    if (call.name === '') throw new ProviderUnavailableError('the upstream called a tool without a name');
    yield* this.#closeText();
    const id = this.#ids.take(call.id, this.#turn);
    yield* this.#openBlock({ type: 'tool_use', id, input: {}, ...this.#options.tools.useOf(call.name) });
    this.#open = 'call';
  }

  *#closeCall(call: PendingCall): Generator<StreamEvent, void, undefined> {
    if (this.#open !== 'call') yield* this.#openCall(call);
    const index = this.#content.length - 1;
    const input = inputOf(call.arguments);
    const block = this.#content[index];
    if (block?.type === 'tool_use') block.input = input;
    yield {
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    };
    yield { type: 'content_block_stop', index };
    call.closed = true;
    this.#open = undefined;
    this.#turn += 1;
  }

  *#openBlock(block: ContentBlock): Generator<StreamEvent, void, undefined> {
    this.#content.push(block);
    this.#open = block.type === 'thinking' ? 'thinking' : 'text';
    yield { type: 'content_block_start', index: this.#content.length - 1, content_block: { ...block } };
  }

  *#extend(words: string): Generator<StreamEvent, void, undefined> {
    const index = this.#content.length - 1;
    const block = this.#content[index];
    if (block?.type === 'text') {
      block.text += words;
      yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } };
    }
    if (block?.type === 'thinking') {
      block.thinking += words;
      yield {
        type: 'content_block_delta',
        index,
        delta: { type: 'thinking_delta', thinking: words, estimated_tokens: null },
      };
    }
  }

  *#closeText(): Generator<StreamEvent, void, undefined> {
    if (this.#open !== 'text' && this.#open !== 'thinking') return;
    yield { type: 'content_block_stop', index: this.#content.length - 1 };
    this.#open = undefined;
  }
}
