import type { Message } from '@steadyhand/messages';
import type { AgentTool } from '../agents/agent.ts';
import { type Decided, permissionFor } from '../agents/permissions.ts';
import type { Internal, NewEvent, ReplyMark, TextBlock } from '../events/types.ts';

type Block = Message['content'][number];

/**
 * The events of one model reply, in its order. Adjacent text blocks are one `agent.message`.
 * @param cursor the last seq that the model was shown
 * @param tools the tools of the session's agent, which decide who runs a tool use and whether the user is asked
 * @param decided the decisions of rules on its tool uses, by their blocks
 */
export function replyEvents(
  reply: Pick<Message, 'id' | 'content'>,
  cursor: number,
  tools: readonly AgentTool[],
  decided?: Decided,
): readonly NewEvent[] {
  const mark: ReplyMark = { id: reply.id, cursor };
  return withTextGathered(reply.content).map((item) =>
    Array.isArray(item)
      ? { type: 'agent.message', body: { content: item }, internal: { reply: mark } }
      : blockEvent(item, { reply: mark }, tools, decided),
  );
}

/** Gathers adjacent text blocks, and leaves blank ones out. */
function withTextGathered(
  content: readonly Block[],
): readonly (TextBlock[] | Exclude<Block, { type: 'text' }>)[] {
  const items: (TextBlock[] | Exclude<Block, { type: 'text' }>)[] = [];
  for (const block of content) {
    if (block.type !== 'text') {
      items.push(block);
      continue;
    }
    if (isBlank(block.text)) continue;
    const last = items.at(-1);
    const text: TextBlock = { type: 'text', text: block.text };
    if (Array.isArray(last)) last.push(text);
    else items.push([text]);
  }
  return items;
}

/** Whether a text is nothing but white space, which the API refuses in later requests. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

function blockEvent(
  block: Exclude<Block, { type: 'text' }>,
  internal: Internal,
  tools: readonly AgentTool[],
  decided?: Decided,
): NewEvent {
  switch (block.type) {
    case 'thinking': {
      const { type, thinking, signature } = block;
      return {
        type: 'agent.thinking',
        body: {},
        internal: { ...internal, thinking: { type, thinking, signature } },
      };
    }
    case 'redacted_thinking': {
      const { type, data } = block;
      return { type: 'agent.thinking', body: {}, internal: { ...internal, thinking: { type, data } } };
    }
    case 'tool_use': {
      const { name } = block;
      const toolset = block.toolset_name == null ? {} : { toolset_name: block.toolset_name };
      const input = block.input as Readonly<Record<string, unknown>>;
      const use = { ...internal, model_id: block.id };
      const verdict = permissionFor(tools, { name, ...toolset }, decided?.get(block));
      if (verdict.by === 'client')
        return { type: 'agent.custom_tool_use', body: { name, input }, internal: use };
      const { by: _by, permission, ...evaluated } = verdict;
      return {
        type: 'agent.tool_use',
        body: { name, ...toolset, input, evaluated_permission: permission, ...evaluated },
        internal: use,
      };
    }
    default:
      // The other types belong to tools that run at the provider, and no such tool is offered to the model.
      throw new TypeError(`a reply with a block of type ${block.type} cannot be kept`);
  }
}
