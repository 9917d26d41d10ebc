import type { ModelProvider } from '../providers/provider.ts';
import type { ModelRequest } from '../api/request.ts';
import type { StreamEvent } from '../api/api-types.ts';
import { countInputTokens } from '../tokens/request-tokens.ts';
import { type ClearedToolUses, clearToolUses } from './clear-tool-uses.ts';

interface Edited {
  readonly request: ModelRequest;
  readonly applied: { applied_edits: ClearedToolUses[] };
}

/**
 * Carries out `clear_tool_uses_20250919` of `context_management` for a provider that has no such edits, and reports
 * them as the API does. Requests with other edits stay as they are, so that the provider refuses them.
 */
export function withContextEdits(provider: ModelProvider): ModelProvider {
  async function* stream(
    { request, applied }: Edited,
    asked: Parameters<ModelProvider['stream']>[1],
  ): AsyncGenerator<StreamEvent> {
    for await (const event of provider.stream(request, asked)) {
      yield event.type === 'message_delta' ? { ...event, context_management: applied } : event;
    }
  }

  return {
    name: provider.name,
    async reply(request, asked) {
      const edited = edit(request);
      if (edited === undefined) return provider.reply(request, asked);
      return { ...(await provider.reply(edited.request, asked)), context_management: edited.applied };
    },
    stream(request, asked) {
      const edited = edit(request);
      return edited === undefined ? provider.stream(request, asked) : stream(edited, asked);
    },
    async countTokens(request, asked) {
      const sent = edit(request)?.request ?? request;
      return provider.countTokens?.(sent, asked) ?? countInputTokens(sent);
    },
  };
}

function edit(request: ModelRequest): Edited | undefined {
  const { context_management: management, ...plain } = request;
  const edits = management?.edits ?? [];
  if (edits.length === 0) return undefined;
  let edited: ModelRequest = plain;
  const applied: ClearedToolUses[] = [];
  for (const each of edits) {
    if (each.type !== 'clear_tool_uses_20250919') return undefined;
    const made = clearToolUses(edited, each);
    if (made === undefined) continue;
    edited = made.request;
    applied.push(made.cleared);
  }
  return { request: edited, applied: { applied_edits: applied } };
}
