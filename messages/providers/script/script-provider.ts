import { createHash } from 'node:crypto';
import type { ContentBlock, ContentBlockParam } from '../../api-types.ts';
import type { ModelRequest } from '../../request.ts';
import { countUsage } from '../../tokens/usage.ts';
import type { ModelProvider, ModelReply } from '../provider.ts';
import { limitReply } from './limits.ts';
import { nextReply, type ScriptReply } from './next-reply.ts';

const ID_LENGTH = 24;

function idOf(prefix: string, parts: readonly (string | number)[]): string {
  return prefix + createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_LENGTH);
}

function contentOf({ texts, uses }: ScriptReply, replyId: string): ContentBlock[] {
  return [
    ...texts.map((text): ContentBlock => ({ type: 'text', text, citations: null })),
    ...uses.map(({ name, input }, index): ContentBlock => ({
      type: 'tool_use',
      id: idOf('toolu_', [replyId, index]),
      name,
      input,
    })),
  ];
}

/**
 * The reply to a request. Without an `id` the reply's id is a hash of its place in the conversation and its content, so
 * the same request gives the same ids; two conversations that run the same script then have the same ids too, and a
 * caller that brings them together gives ids of its own.
 */
export function scriptReply(request: ModelRequest, id?: string): ModelReply {
  const reply = nextReply(request);
  const replyId = id ?? idOf('msg_', [...reply.position, JSON.stringify(reply)]);
  const { content, ...ending } = limitReply(contentOf(reply, replyId), request);
  return {
    id: replyId,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content,
    ...ending,
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
    usage: countUsage(request, content as ContentBlockParam[]),
  };
}

/** A provider without a model: it carries out the YAML list of steps that is the user's newest message. */
export function createScriptProvider(): ModelProvider {
  return {
    name: 'script',
    async reply(request, { signal, id }) {
      signal.throwIfAborted();
      return Promise.resolve(scriptReply(request, id));
    },
  };
}
