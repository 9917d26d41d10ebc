import type {
  ContentBlock,
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from '../api/api-types.ts';
import type { ReplyOptions } from '../providers/provider.ts';
import type { ModelRequest } from '../api/request.ts';

/** A tool use that the client's tools cannot do. */
export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

/** The number of times that the model is asked again within one request after it wanted what cannot be done. */
export const MOST_REASKS = 3;

/** The answer to the uses after one that failed, as the toolset's documentation asks of clients. */
export const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.';

/** Adds the upstream's reply and the bridge's answers to the conversation. The client sees neither. */
export function askAgain(
  request: ModelRequest,
  content: readonly ContentBlock[],
  refusal: Refusal,
): ModelRequest {
  const results = content.flatMap((block): ToolResultBlockParam[] => {
    if (block.type !== 'tool_use') return [];
    return [
      {
        type: 'tool_result',
        tool_use_id: block.id,
        content: block.id === refusal.id ? refusal.reason : NOT_EXECUTED,
        is_error: true,
        ...(block.toolset_name == null ? {} : { toolset_name: block.toolset_name }),
      },
    ];
  });
  const exchange: MessageParam[] = [
    { role: 'assistant', content: content as ContentBlockParam[] },
    { role: 'user', content: results },
  ];
  return { ...request, messages: [...request.messages, ...exchange] };
}

/** Gives each further request an id of its own, since ids that derive from it must be unique in a conversation. */
export function optionsOf(options: ReplyOptions, reasks: number): ReplyOptions {
  return reasks === 0 || options.id === undefined ? options : { ...options, id: `${options.id}r${reasks}` };
}

/** The text that the client reads when the model insists. */
export function givenUp({ reason }: Refusal): string {
  return (
    `The model asked for something that the tools of this conversation cannot do, was told so ${MOST_REASKS} times and ` +
    `asked again: ${reason}`
  );
}

/** Whether a tool use's input has no fields: it may need none, or it may have been cut off. */
export function isEmpty(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0;
}

/**
 * Whether a block is thinking, which is valid only in the conversation that it came from. The answers after a refusal
 * belong to a conversation that the client does not have, so the client gets the thinking of the first answer alone.
 */
export function isThinking(block: { readonly type: string }): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}
