import { isProviderTool, type ModelRequest, PROVIDER_TOOL_BETAS } from '@steadyhand/messages';
import { type SessionData, systemOf, toolDefinitions } from '@steadyhand/sessions';

/** The longest reply; the oldest models take no larger number. */
const MAX_TOKENS = 8192;

/** The request for a session's next reply. */
export function modelRequest(data: SessionData, messages: ModelRequest['messages']): ModelRequest {
  const tools = toolDefinitions(data.agent.tools);
  const system = systemOf(data);
  return {
    model: data.agent.model.id,
    max_tokens: MAX_TOKENS,
    messages,
    tools,
    betas: betasOf(tools),
    ...(system === null ? {} : { system }),
    ...(data.agent.context_care === undefined ? {} : { context_care: data.agent.context_care }),
  };
}

function betasOf(tools: ModelRequest['tools']): string[] {
  const needed = tools.flatMap((tool) => (isProviderTool(tool) ? [PROVIDER_TOOL_BETAS[tool.type]] : []));
  return [...new Set(needed.filter((beta) => beta !== undefined))];
}
