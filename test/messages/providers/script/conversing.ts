import type {
  Message,
  MessageParam,
  ToolResultBlockParam,
  ModelRequest,
  TextRecognizer,
} from '../../../../messages/index.ts';
import { scriptReply } from '../../../../messages/providers/script/script-provider.ts';
import { modelRequest, userSays } from '../../support.ts';
import { fromUser } from '../../../support/blocks.ts';

type Answer = Omit<ToolResultBlockParam, 'type' | 'tool_use_id'>;
export type Tool = (name: string, input: Record<string, unknown>) => Answer;

export const ok: Tool = () => ({ content: 'ok', is_error: false });
/** Answers with each of the contents in turn. */
export function answering(...contents: string[]): Tool {
  let next = 0;
  return () => ({ content: contents[next++] ?? 'ok', is_error: false });
}

export function texts(message: Message): string[] {
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

export function uses(message: Message): [name: string, input: unknown][] {
  return message.content.flatMap((block) =>
    block.type === 'tool_use' ? [[block.name, block.input] as [string, unknown]] : [],
  );
}

/** The message that a client sends after a reply with tool uses. */
export function resultsFor(message: Message, tool: Tool): MessageParam {
  return fromUser(
    message.content.flatMap((block) =>
      block.type === 'tool_use'
        ? [
            {
              type: 'tool_result' as const,
              tool_use_id: block.id,
              ...(block.toolset_name == null ? {} : { toolset_name: block.toolset_name }),
              ...tool(block.name, block.input as Record<string, unknown>),
            },
          ]
        : [],
    ),
  );
}

/** The reply to a conversation. */
export async function replyTo(
  messages: MessageParam[],
  change: Partial<ModelRequest> = {},
  recognizer?: TextRecognizer,
): Promise<Message> {
  return (await scriptReply(modelRequest({ ...change, messages }), { recognizer })).message;
}

export interface Run {
  readonly replies: Message[];
  readonly messages: MessageParam[];
  /** What the provider would have waited. */
  readonly pausedMs: number;
}

/** The client's loop: asks, runs the tools, sends the results, until a reply asks for none. */
export async function converse(
  script: string | MessageParam[],
  tool: Tool = ok,
  change: Partial<ModelRequest> = {},
  recognizer?: TextRecognizer,
): Promise<Run> {
  const messages: MessageParam[] = typeof script === 'string' ? [userSays(script)] : [...script];
  const replies: Message[] = [];
  let pausedMs = 0;
  for (let turn = 0; turn < 100; turn += 1) {
    const request = modelRequest({ ...change, messages: [...messages] });
    const { message: reply, pauseMs } = await scriptReply(request, { recognizer });
    pausedMs += pauseMs;
    replies.push(reply);
    // A reply is sent back as it came, which the compiler checks here.
    messages.push({ role: 'assistant', content: reply.content as MessageParam['content'] & unknown[] });
    if (reply.stop_reason !== 'tool_use') return { replies, messages, pausedMs };
    messages.push(resultsFor(reply, tool));
  }
  throw new Error('the script never ended');
}

export function lastText(run: Run): string {
  return texts(run.replies.at(-1) as Message).join('\n');
}
