import type { ContentBlock, ContentBlockParam, MessageParam, StreamEvent } from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';
import type { ModelProvider } from '../providers/provider.ts';

/** The caller of a tool that the model itself called. */
const DIRECT = { type: 'direct' } as const;

/** Adds the caller to a tool use, as the API's types require. */
function called(block: ContentBlock): ContentBlock {
  return block.type === 'tool_use' && block.caller == null ? { ...block, caller: { ...DIRECT } } : block;
}

function isDirectUse(block: ContentBlockParam): boolean {
  return block.type === 'tool_use' && block.caller?.type === 'direct';
}

function withoutCaller(block: ContentBlockParam): ContentBlockParam {
  if (block.type !== 'tool_use' || !isDirectUse(block)) return block;
  const { caller: _caller, ...use } = block;
  return use;
}

function withoutCallers(message: MessageParam): MessageParam {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  const content: readonly ContentBlockParam[] = message.content;
  return content.some(isDirectUse) ? { ...message, content: content.map(withoutCaller) } : message;
}

/**
 * Adds callers to the tool uses of a provider, as the newest types of the API require. Clients send them back. A direct
 * caller is the default, and older upstreams refuse the field, so it is removed from requests.
 */
export function withCallers(provider: ModelProvider): ModelProvider {
  const asked = (request: ModelRequest): ModelRequest => ({
    ...request,
    messages: request.messages.map(withoutCallers),
  });
  const counted = provider.countTokens?.bind(provider);

  async function* withCaller(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent> {
    for await (const event of events) {
      yield event.type === 'content_block_start'
        ? { ...event, content_block: called(event.content_block) }
        : event;
    }
  }

  return {
    name: provider.name,
    async reply(request, options) {
      const reply = await provider.reply(asked(request), options);
      return { ...reply, content: reply.content.map(called) };
    },
    stream: (request, options) => withCaller(provider.stream(asked(request), options)),
    ...(counted === undefined ? {} : { countTokens: (request, options) => counted(asked(request), options) }),
  };
}
