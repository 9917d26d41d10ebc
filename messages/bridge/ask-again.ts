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

/** How often one request of the client's is asked again because the model wanted what cannot be done. */
export const MOST_REASKS = 3;

/** What the toolset's documentation has clients answer to the uses behind one that failed. */
export const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.';

/** The upstream's own conversation with its reply and the bridge's answers to it: nothing of it has reached the client. */
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

/** Ids that are made from ours must not come twice in one conversation. */
export function optionsOf(options: ReplyOptions, reasks: number): ReplyOptions {
  return reasks === 0 || options.id === undefined ? options : { ...options, id: `${options.id}r${reasks}` };
}

/** What the client reads when the model does not let go. */
export function givenUp({ reason }: Refusal): string {
  return (
    `The model asked for something that the tools of this conversation cannot do, was told so ${MOST_REASKS} times and ` +
    `asked again: ${reason}`
  );
}

/** A tool use's input without fields: of a use that needs none, or of one that was cut. */
export function isEmpty(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0;
}

/**
 * Thinking is bound to the conversation that it came from. What came after a refusal came from one that the client does not
 * have, so only the thinking of the first answer is the client's to send back.
 */
export function isThinking(block: { readonly type: string }): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}
