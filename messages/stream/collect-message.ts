import type { ContentBlock, Message, StreamEvent } from '../api/api-types.ts';
import { ProviderUnavailableError, ReplyTooLargeError } from '../api/errors.ts';
import { hasInput, StreamGrammar } from './stream-grammar.ts';

type DeltaEvent = Extract<StreamEvent, { type: 'content_block_delta' }>;
type MessageDelta = Extract<StreamEvent, { type: 'message_delta' }>;

/** The limit for the characters of a reply. In any language 128,000 tokens are far fewer. */
const LONGEST = 16 * 1024 * 1024;

/** Whether a reply was cut off: half of its last block may be missing, and half an input must never be carried out. */
export function isCut(stopReason: string | null): boolean {
  return (
    stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded' || stopReason === 'refusal'
  );
}

/**
 * Collects the events of a stream into a whole reply, as the official clients do. A tool use whose input was cut off
 * gets the input `{}`, since half an input must never be carried out.
 *
 * @example const message = await collectMessage(streamMessage(request, { providers, signal }));
 * @throws {ProviderUnavailableError} on an event out of order, an input that is not JSON, or a stream that breaks off
 * @throws {ReplyTooLargeError} on a reply without an end
 */
export async function collectMessage(
  events: AsyncIterable<StreamEvent> | Iterable<StreamEvent>,
): Promise<Message> {
  const grammar = new StreamGrammar();
  let builder: MessageBuilder | undefined;
  for await (const event of events) {
    grammar.take(event);
    if (event.type === 'message_start') builder = new MessageBuilder(event.message);
    else builder?.take(event);
  }
  grammar.end();
  if (builder === undefined) throw new ProviderUnavailableError('the reply has no events');
  return builder.finish();
}

class MessageBuilder {
  readonly #message: Message;
  readonly #content: ContentBlock[] = [];
  #json = '';
  #length = 0;
  #unreadable: string | undefined;

  constructor(message: Message) {
    this.#message = { ...message, content: this.#content, usage: { ...message.usage } };
  }

  take(event: StreamEvent): void {
    switch (event.type) {
      case 'content_block_start':
        this.#content.push({ ...event.content_block });
        this.#json = '';
        // The block of a fallback names the model that continued the reply.
        if (event.content_block.type === 'fallback') this.#message.model = event.content_block.to.model;
        return;
      case 'content_block_delta':
        this.#extend(event.delta);
        return;
      case 'content_block_stop':
        this.#close();
        return;
      case 'message_delta':
        this.#conclude(event);
        return;
      default:
    }
  }

  finish(): Message {
    if (this.#unreadable !== undefined && !isCut(this.#message.stop_reason)) {
      throw new ProviderUnavailableError(`the input of the tool use ${this.#unreadable} is no JSON`);
    }
    return this.#message;
  }

  /** The grammar has checked that the delta fits the block. */
  #extend(delta: DeltaEvent['delta']): void {
    this.#length += lengthOf(delta);
    if (this.#length > LONGEST) throw new ReplyTooLargeError('the reply', LONGEST);
    const block = this.#content.at(-1);
    if (delta.type === 'input_json_delta') this.#json += delta.partial_json;
    else if (block?.type === 'text') {
      if (delta.type === 'text_delta') block.text += delta.text;
      if (delta.type === 'citations_delta') block.citations = [...(block.citations ?? []), delta.citation];
    } else if (block?.type === 'thinking') {
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
      if (delta.type === 'signature_delta') block.signature = delta.signature;
    } else if (block?.type === 'compaction' && delta.type === 'compaction_delta') {
      block.content = delta.content;
      if ('encrypted_content' in delta) block.encrypted_content = delta.encrypted_content;
    }
  }

  #close(): void {
    const block = this.#content.at(-1);
    if (block === undefined || !hasInput(block.type) || this.#json === '') return;
    const use = block as { id: string; input: unknown };
    try {
      use.input = JSON.parse(this.#json);
    } catch {
      use.input = {};
      this.#unreadable ??= use.id;
    }
  }

  /** Counts are totals, so each replaces an earlier one. */
  #conclude({ delta, usage, ...rest }: MessageDelta): void {
    const message = this.#message;
    message.stop_reason = delta.stop_reason;
    message.stop_sequence = delta.stop_sequence ?? null;
    message.stop_details = delta.stop_details ?? null;
    if (delta.container != null) message.container = delta.container;
    if (rest.context_management != null) message.context_management = rest.context_management;
    if (rest.input_transformations != null) message.input_transformations = rest.input_transformations;
    const told = Object.entries(usage ?? {}).filter(([, value]) => value != null);
    Object.assign(message.usage, Object.fromEntries(told));
  }
}

/** The number of characters that a delta adds. */
function lengthOf(delta: DeltaEvent['delta']): number {
  switch (delta.type) {
    case 'text_delta':
      return delta.text.length;
    case 'thinking_delta':
      return delta.thinking.length;
    case 'input_json_delta':
      return delta.partial_json.length;
    default:
      return 0;
  }
}
