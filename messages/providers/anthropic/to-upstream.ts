import type { MessageParam } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { clientSystem } from '../../tools/system-prompt.ts';
import type { UpstreamRequest } from './platform.ts';

/** The fields of a request for a message that a request for a count lacks. */
const NOT_COUNTED: readonly string[] = [
  'container',
  'diagnostics',
  'fallback_credit_token',
  'fallbacks',
  'inference_geo',
  'max_tokens',
  'metadata',
  'service_tier',
  'stop_sequences',
  'temperature',
  'thread',
  'top_k',
  'top_p',
];

/** Removes fields that are null. They mean nothing, but an upstream that is older than a field refuses its name. */
function withoutNulls(block: object): object {
  const { type, content } = block as { readonly type?: unknown; readonly content?: unknown };
  // A content of null marks a compaction that failed.
  if (type === 'compaction') return block;
  const fields = Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null));
  // Results of the API's own tools stay unchanged.
  if (type !== 'tool_result' || !Array.isArray(content)) return fields;
  return { ...fields, content: content.map((part: object) => withoutNulls(part)) };
}

function plainMessage(message: MessageParam): object {
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: content.map(withoutNulls) } : message;
}

/**
 * Removes the fields that are extensions of this server from a request. The upstream generates the computer-use prompt
 * itself, so it gets only the client's own texts.
 */
export function toUpstream(request: ModelRequest): UpstreamRequest {
  const {
    model,
    betas,
    messages,
    tools,
    system: _system,
    system_prompt: _prompt,
    context_care: _care,
    ...rest
  } = request;
  const system = clientSystem(request);
  const body = {
    ...rest,
    messages: messages.map(plainMessage),
    ...(tools.length === 0 ? {} : { tools }),
    ...(system === undefined ? {} : { system }),
  };
  return { model, betas, body };
}

/** The same request in the form for `count_tokens`. */
export function toCount(request: ModelRequest): UpstreamRequest {
  const { body, ...rest } = toUpstream(request);
  const counted = Object.entries(body).filter(([field]) => !NOT_COUNTED.includes(field));
  return { ...rest, body: Object.fromEntries(counted) };
}
