import type { Message, MessageParam, ToolParam, Usage } from '../../api-types.ts';
import { hashOf, plainMessages, requestFields } from './plain-request.ts';
import type { RecordedTurn, Recording } from './recording.ts';
import { TurnChain } from './turn-chain.ts';

/** A request as far as it is known, and its reply. Pictures may have sources of any kind. */
export interface KnownTurn {
  readonly request: {
    readonly system?: string;
    readonly tools: readonly ToolParam[];
    readonly messages: readonly MessageParam[];
  };
  readonly reply: KnownReply;
}

export interface KnownReply extends Pick<Message, 'id' | 'model' | 'content'> {
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

/** Why the reply stopped is told by what it holds: a turn that was kept asked for tools or had come to its end. */
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

/** A recording of turns that are known from elsewhere, such as a session's log. */
export function recordTurns(
  known: readonly KnownTurn[],
  source: Readonly<Record<string, unknown>>,
): Recording {
  const chain = new TurnChain();
  const turns = known.flatMap(({ request, reply }): RecordedTurn[] => {
    const plain = { ...requestFields(request), messages: plainMessages(request.messages) };
    const id = hashOf(plain);
    return chain.has(id) ? [] : [chain.add(id, plain, wholeReply(reply))];
  });
  return { type: 'recording', version: 1, source, turns };
}
