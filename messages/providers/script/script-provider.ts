import { setTimeout } from 'node:timers/promises';
import type { ContentBlock, ContentBlockParam } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { messageEvents } from '../../stream/message-events.ts';
import { countUsage } from '../../tokens/request-tokens.ts';
import type { ModelProvider, ModelReply } from '../provider.ts';
import { refuseUnsupported } from '../refuse-unsupported.ts';
import { derivedId } from '../derived-id.ts';
import { limitReply } from './limits.ts';
import { nextReply, type ScriptOptions, type ScriptReply } from './next-reply.ts';
import type { TextRecognizer } from './text-recognizer.ts';

function contentOf({ texts, uses }: ScriptReply, replyId: string): ContentBlock[] {
  return [
    ...texts.map((text): ContentBlock => ({ type: 'text', text, citations: null })),
    ...uses.map(({ name, input, toolset_name }, index): ContentBlock => ({
      type: 'tool_use',
      id: derivedId('toolu_', [replyId, index]),
      name,
      input,
      ...(toolset_name === undefined ? {} : { toolset_name }),
    })),
  ];
}

interface PausedReply {
  readonly message: ModelReply;
  /** The milliseconds to wait before the reply, for `wait_for`. */
  readonly pauseMs: number;
}

/**
 * Makes the reply to a request. Without an `id` the reply's id is a hash of its place in the conversation and its
 * content, so the same request gives the same ids. Two conversations with the same script then share ids; a caller that
 * stores both gives ids of its own.
 */
export async function scriptReply(
  request: ModelRequest,
  { id, ...options }: ScriptOptions & { readonly id?: string | undefined } = {},
): Promise<PausedReply> {
  const { reply, pauseMs } = await nextReply(request, options);
  const replyId = id ?? derivedId('msg_', [...reply.position, JSON.stringify(reply)]);
  const { content, ...ending } = limitReply(contentOf(reply, replyId), request);
  const message: ModelReply = {
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
  return { message, pauseMs };
}

interface ScriptProviderOptions {
  /** Reads the screen for the steps that look for text. */
  readonly recognizer?: TextRecognizer | undefined;
  /** Waits, by default on the real clock. Rejects when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A provider without a model, which carries out the YAML list of steps in the user's newest message. */
export function createScriptProvider({
  recognizer,
  pause = (ms, signal) => setTimeout(ms, undefined, { signal }),
}: ScriptProviderOptions = {}): ModelProvider {
  const reply: ModelProvider['reply'] = async (request, { signal, id }) => {
    signal.throwIfAborted();
    refuseUnsupported(request, 'script');
    const { message, pauseMs } = await scriptReply(request, { id, recognizer, signal });
    if (pauseMs > 0) await pause(pauseMs, signal).catch(() => undefined);
    signal.throwIfAborted();
    return message;
  };
  return {
    name: 'script',
    reply,
    async *stream(request, options) {
      yield* messageEvents(await reply(request, options));
    },
  };
}
