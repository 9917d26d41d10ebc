import type { Message, MessageParam, ToolParam, Usage } from '../../api/api-types.ts';
import { joinTurns, type PlainMessage, plainMessage, requestFields } from './plain-request.ts';
import type { RecordedTurn, Recording } from './recording.ts';
import { TurnChain } from './turn-chain.ts';

/** The known part of a request, and its reply. Pictures may have sources of any kind. */
export interface KnownTurn {
  readonly request: {
    readonly system?: string;
    readonly tools: readonly ToolParam[];
    readonly messages: readonly MessageParam[];
  };
  readonly reply: KnownReply;
}

interface KnownReply extends Pick<Message, 'id' | 'model' | 'content'> {
  readonly usage: Pick<Usage, 'input_tokens' | 'output_tokens'> & Partial<Usage>;
}

const UNKNOWN = {
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: null,
  fallback_credit: null,
  inference_geo: null,
  iterations: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
};

/** Completes a reply. A kept reply either asks for tools or ends the turn, which its content tells. */
function wholeReply({ usage, ...reply }: KnownReply): Message {
  return {
    ...reply,
    type: 'message',
    role: 'assistant',
    stop_reason: reply.content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
    usage: { ...UNKNOWN, ...usage },
  };
}

/**
 * Makes a session recording of known turns, such as those of an event log, one turn at a time. Message objects that a
 * turn shares with earlier ones cost next to nothing.
 */
export class TurnRecorder {
  readonly #chain = new TurnChain();
  readonly #turns: RecordedTurn[] = [];
  readonly #plain = new WeakMap<MessageParam, PlainMessage>();

  add({ request, reply }: KnownTurn): void {
    const messages = joinTurns(request.messages.map((message) => this.#plainOf(message)));
    const plain = { ...requestFields(request), messages };
    const id = this.#chain.idOf(plain);
    if (!this.#chain.has(id)) this.#turns.push(this.#chain.add(id, plain, wholeReply(reply)));
  }

  finish(source: Readonly<Record<string, unknown>>): Recording {
    return { type: 'recording', version: 1, source, turns: this.#turns };
  }

  #plainOf(message: MessageParam): PlainMessage {
    const plain = this.#plain.get(message) ?? plainMessage(message);
    this.#plain.set(message, plain);
    return plain;
  }
}
