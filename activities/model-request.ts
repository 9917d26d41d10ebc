import { isProviderTool, type ModelRequest, PROVIDER_TOOL_BETAS } from '@steadyhand/messages';
import { type SessionData, systemOf, toolDefinitions } from '@steadyhand/sessions';

/** A reply's bound when the agent sets none; what the oldest of the models take, too. */
const MAX_TOKENS = 8192;

/** The request that a session's next reply is asked for with. */
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
