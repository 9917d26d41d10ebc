import { InvalidRequestError } from '@steadyhand/contracts';
import type { ContentBlockParam, MessageParam, ToolParam } from '../api/api-types.ts';
import { perMessage } from '../api/per-message.ts';
import type { ModelRequest } from '../api/request.ts';
import { upstreamBlocks } from '../schema/upstream-blocks.ts';
import { upstreamTools } from '../schema/upstream-tools.ts';

/** Fields that change the reply or who makes it, so a provider that does not support one must not ignore it. */
const FIELDS = {
  billing_policy: ({ billing_policy: policy }) => policy?.bill_to === 'user_profile',
  compaction: ({ compaction }) => compaction != null,
  container: ({ container }) => container != null,
  context_management: ({ context_management: care }) => (care?.edits ?? []).length > 0,
  fallback_credit_token: ({ fallback_credit_token: token }) => token != null,
  // As in the API, a request for the default fallback runs on its own model where there is none.
  fallbacks: ({ fallbacks }) => typeof fallbacks === 'object' && fallbacks !== null && fallbacks.length > 0,
  inference_geo: ({ inference_geo: geo }) => geo != null,
  mcp_servers: ({ mcp_servers: servers = [] }) => servers.length > 0,
  'output_config.format': ({ output_config: config }) => config?.format != null,
  'output_config.task_budget': ({ output_config: config }) => config?.task_budget != null,
  output_format: ({ output_format: format }) => format != null,
  speed: ({ speed }) => speed === 'fast',
} satisfies Record<string, (request: ModelRequest) => boolean>;

/** A field that only some providers support. */
type UpstreamField = keyof typeof FIELDS;

function isOfUpstream(tool: ToolParam): boolean {
  return tool.type != null && Object.hasOwn(upstreamTools, tool.type);
}

const UPSTREAM_BLOCKS: ReadonlySet<string> = new Set([
  ...Object.keys(upstreamBlocks),
  'mcp_tool_result',
  'browser_state',
]);

/** Finds the first block of a message that only the API understands: its place and its type. */
function upstreamBlock({ content = [] }: MessageParam): readonly [place: string, type: string] | null {
  if (typeof content === 'string') return null;
  for (const [index, block] of content.entries()) {
    const place = `content.${index}`;
    if (UPSTREAM_BLOCKS.has(block.type)) return [place, block.type];
    const inner =
      (block as ContentBlockParam).type === 'tool_result' && 'content' in block ? block.content : [];
    if (!Array.isArray(inner)) continue;
    const at = inner.findIndex((part) => UPSTREAM_BLOCKS.has(part.type));
    if (at !== -1) return [`${place}.content.${at}`, String(inner[at]?.type)];
  }
  return null;
}

const upstreamBlocksOf = perMessage(upstreamBlock);

/**
 * Refuses what only the Messages API itself can do; call it before any other provider is asked. Hints pass (`metadata`,
 * `service_tier`, `diagnostics`, `cache_control`, `thinking`, `effort`, sampling), since a reply that ignores them is
 * still the reply that was asked for.
 *
 * @param provider the provider's name for the error
 * @param taken the fields that this provider supports
 * @throws {InvalidRequestError} that names the first such field, tool or block
 */
export function refuseUnsupported(
  request: ModelRequest,
  provider: string,
  taken: readonly UpstreamField[] = [],
): void {
  const told = `the provider '${provider}' of this model`;
  for (const field of Object.keys(FIELDS) as UpstreamField[]) {
    if (!taken.includes(field) && FIELDS[field](request)) {
      throw new InvalidRequestError(`${field}: ${told} does not support it`);
    }
  }
  for (const [index, tool] of request.tools.entries()) {
    if (isOfUpstream(tool))
      throw new InvalidRequestError(`tools.${index}: ${told} does not offer '${tool.type}'`);
  }
  for (const [index, found] of upstreamBlocksOf(request.messages).entries()) {
    if (found === null) continue;
    const [place, type] = found;
    throw new InvalidRequestError(
      `messages.${index}.${place}: ${told} does not understand \`${type}\` blocks`,
    );
  }
}
