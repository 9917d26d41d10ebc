import type { BetaManagedAgentsAgentToolEvaluation } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import type { NamedUse } from '../messages/index.ts';
import type { AgentTool } from './agents/agent.ts';
import { offeredFor } from './agents/tools.ts';
import type { Permission } from './events/types.ts';

/** How a tool use of the model is to be treated. */
export type ToolUseVerdict =
  /** Run in the sandbox: at once (`allow`), after the user's confirmation (`ask`), or not at all (`deny`). */
  | {
      readonly by: 'sandbox';
      readonly permission: Permission;
      /** The policy that decided; absent when the agent has no such tool. */
      readonly evaluation?: BetaManagedAgentsAgentToolEvaluation;
    }
  /** A custom tool: the client runs it and sends the result. */
  | { readonly by: 'client' };

/** Decides for one tool use. A tool that the agent does not have is denied. */
export function permissionFor(tools: readonly AgentTool[], use: NamedUse): ToolUseVerdict {
  const offered = offeredFor(tools, use);
  if (offered === undefined) return { by: 'sandbox', permission: 'deny' };
  if (offered.policy === null) return { by: 'client' };
  const permission = offered.policy.type === 'always_allow' ? 'allow' : 'ask';
  return { by: 'sandbox', permission, evaluation: offered.policy };
}
