import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions.js';
import { InvalidRequestError } from '@steadyhand/contracts';
import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { systemPrompt } from '../../tools/system-prompt.ts';
import { contentOf, isText, type Part, partsOf } from './chat-content.ts';
import type { ChatTools } from './chat-tools.ts';
import type { RequestStyle } from './options.ts';

type ChatMessage = ChatCompletionMessageParam;
/** `reasoning_content` is not in OpenAI's protocol; some models need it back between tool calls. */
type AssistantMessage = ChatCompletionAssistantMessageParam & { reasoning_content?: string };

interface Placed {
  readonly path: string;
  readonly block: ContentBlockParam;
}

type Turn =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant'; readonly blocks: Placed[] };

function blocksOf({ content = [] }: MessageParam, index: number): Placed[] {
  const path = `messages.${index}.content`;
  if (typeof content === 'string') {
    return content === '' ? [] : [{ path, block: { type: 'text', text: content } }];
  }
  return content.map((block, place) => ({ path: `${path}.${place}`, block: block as ContentBlockParam }));
}

/** Joins neighbouring messages of one role into turns. Drops system messages that were for a past turn only. */
function turnsOf(messages: readonly MessageParam[]): Turn[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message, index);
    if (message.role === 'system') {
      if (message.clear_at === 'next_user_message' && index < lastUser) continue;
      const content = blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
      if (content !== '') turns.push({ role: 'system', content });
      continue;
    }
    const last = turns.at(-1);
    if (last?.role === message.role) {
      // `push(...blocks)` would fail for more blocks than a call may have arguments.
      for (const block of blocks) last.blocks.push(block);
    } else turns.push({ role: message.role, blocks });
  }
  return turns;
}

function assistantMessage(
  blocks: readonly Placed[],
  tools: ChatTools,
  style: RequestStyle,
): AssistantMessage | undefined {
  const texts: string[] = [];
  const reasoning: string[] = [];
  const calls: NonNullable<AssistantMessage['tool_calls']> = [];
  for (const { block, path } of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'thinking':
        reasoning.push(block.thinking);
        break;
      case 'redacted_thinking':
        break;
      case 'tool_use':
        calls.push({
          id: block.id,
          type: 'function',
          function: { name: tools.functionOf(block), arguments: JSON.stringify(block.input) },
        });
        break;
      default:
        throw new InvalidRequestError(
          `${path}: a block of type \`${block.type}\` cannot be sent to this model`,
        );
    }
  }
  if (texts.length === 0 && calls.length === 0) return undefined;
  const thoughts = reasoning.join('\n\n');
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    ...(style.reasoning === 'always' && thoughts !== '' ? { reasoning_content: thoughts } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

interface Result {
  readonly message: ChatMessage;
  /** The parts that no `tool` message can hold, after a line that names their call. */
  readonly pictures: readonly Part[];
}

const NO_OUTPUT = '(no output)';

function resultMessage(block: ToolResultBlockParam, path: string, style: RequestStyle): Result {
  const { content = '', tool_use_id: id, is_error: isError } = block;
  const parts =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ type: 'text' as const, text: content }]
      : content.flatMap((part, index) => partsOf(part, `${path}.content.${index}`, style));
  const texts = parts.filter(isText).map((part) => part.text);
  const pictures = parts.filter((part) => !isText(part));
  if (isError === true) texts.unshift('Error:');
  const words = texts.join('\n');
  if (pictures.length === 0) {
    return {
      message: { role: 'tool', tool_call_id: id, content: words === '' ? NO_OUTPUT : words },
      pictures,
    };
  }
  if (style.toolResultImages === 'tool') {
    // The protocol's type has no such parts, but the servers with this option take them.
    const all = isError === true ? [{ type: 'text' as const, text: 'Error:' }, ...parts] : parts;
    return { message: { role: 'tool', tool_call_id: id, content: all as never }, pictures: [] };
  }
  const what = pictures.every((part) => part.type === 'image_url') ? 'picture' : 'file';
  const note = `[${pictures.length} ${what}${pictures.length === 1 ? '' : 's'}: in the next user message]`;
  return {
    message: {
      role: 'tool',
      tool_call_id: id,
      content: [words, note].filter((line) => line !== '').join('\n'),
    },
    pictures: [{ type: 'text', text: `From the result of the tool call ${id}:` }, ...pictures],
  };
}

function userMessages(blocks: readonly Placed[], style: RequestStyle): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const pictures: Part[] = [];
  const own: Part[] = [];
  for (const { block, path } of blocks) {
    if (block.type !== 'tool_result') {
      own.push(...partsOf(block, path, style));
      continue;
    }
    const result = resultMessage(block, path, style);
    messages.push(result.message);
    pictures.push(...result.pictures);
  }
  const parts = [...pictures, ...own];
  if (parts.length > 0) messages.push({ role: 'user', content: contentOf(parts) });
  return messages;
}

/** Puts the system prompt first, or into the first user message for models without such a role. */
function withSystem(
  messages: readonly ChatMessage[],
  system: string | undefined,
  { systemRole }: RequestStyle,
): ChatMessage[] {
  if (system === undefined) return [...messages];
  if (systemRole !== 'user') return [{ role: systemRole, content: system }, ...messages];
  const [first, ...rest] = messages;
  if (first?.role !== 'user') return [{ role: 'user', content: system }, ...messages];
  const content =
    typeof first.content === 'string'
      ? `${system}\n\n${first.content}`
      : [{ type: 'text' as const, text: system }, ...first.content];
  return [{ role: 'user', content }, ...rest];
}

/** The assistant's words between a tool's results and a user's message, for templates that require them. */
const BETWEEN = 'I have the results.';

function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool'
      ? [{ role: 'assistant' as const, content: BETWEEN }, message]
      : [message],
  );
}

/**
 * Translates the conversation into messages of chat completions.
 *
 * @throws {InvalidRequestError} naming a block that has no translation
 */
export function chatMessages(request: ModelRequest, tools: ChatTools, style: RequestStyle): ChatMessage[] {
  const turns = turnsOf(request.messages);
  const messages = turns.flatMap((turn): ChatMessage[] => {
    if (turn.role === 'system') {
      return [{ role: style.systemRole, content: turn.content }];
    }
    if (turn.role === 'user') return userMessages(turn.blocks, style);
    const said = assistantMessage(turn.blocks, tools, style);
    return said === undefined ? [] : [said];
  });
  const last = messages.at(-1);
  if (last?.role === 'assistant' && style.prefill === 'refuse') {
    throw new InvalidRequestError(
      `messages.${request.messages.length - 1}: this model does not go on from words put into its mouth; the ` +
        'conversation must end with a user message',
    );
  }
  const all = withSystem(messages, systemPrompt(request), style);
  return style.alternate ? alternating(all) : all;
}
