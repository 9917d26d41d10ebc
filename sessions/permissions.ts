import type { BetaManagedAgentsAgentToolEvaluation } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import type { NamedUse } from '../messages/index.ts';
import type { AgentTool } from './agents/agent.ts';
import { offeredFor } from './agents/tools.ts';
import type { Permission } from './events/types.ts';
import { factsOf } from './policy/action-facts.ts';
import { evaluatePolicies, type PolicyDecision, type SourcedPolicy } from './policy/evaluate.ts';

/** How a tool use of the model is to be treated. */
export type ToolUseVerdict =
  /** Run in the sandbox: at once (`allow`), after the user's confirmation (`ask`), or not at all (`deny`). */
  | {
      readonly by: 'sandbox';
      readonly permission: Permission;
      /** The policy that decided; absent when the agent has no such tool. */
      readonly evaluation?: BetaManagedAgentsAgentToolEvaluation;
      /** The rule that decided in the place of the tool's own permission. */
      readonly policy_decision?: PolicyDecision;
    }
  /** A custom tool: the client runs it and sends the result. */
  | { readonly by: 'client' };

/** By what a permission is decided beside the tool. */
export interface Circumstances {
  readonly policies: readonly SourcedPolicy[];
  /** Title of the window that has the keyboard; null where there is none. */
  readonly windowTitle: string | null;
}

/**
 * Decides for one tool use: by the first rule that matches, else by the tool's own permission. A tool that the agent does not
 * have is denied.
 */
export function permissionFor(
  tools: readonly AgentTool[],
  use: NamedUse & { readonly input?: unknown },
  { policies, windowTitle }: Circumstances = { policies: [], windowTitle: null },
): ToolUseVerdict {
  const offered = offeredFor(tools, use);
  if (offered === undefined) return { by: 'sandbox', permission: 'deny' };
  if (offered.policy === null) return { by: 'client' };
  const facts = factsOf({ type: offered.definition.type ?? '', name: use.name, input: use.input });
  const decided = evaluatePolicies(policies, facts, windowTitle);
  if (decided !== undefined) {
    return {
      by: 'sandbox',
      permission: decided.decision,
      evaluation: EVALUATED[decided.decision],
      policy_decision: decided,
    };
  }
  const permission = offered.policy.type === 'always_allow' ? 'allow' : 'ask';
  return { by: 'sandbox', permission, evaluation: offered.policy };
}

/** The SDK's word for what is decided use by use. */
const EVALUATED: Readonly<Record<Permission, BetaManagedAgentsAgentToolEvaluation>> = {
  allow: { type: 'auto', evaluated_permission: { type: 'allow' } },
  ask: { type: 'auto', evaluated_permission: { type: 'ask', reason_code: 'policy' } },
  deny: { type: 'auto', evaluated_permission: { type: 'deny', reason_code: 'policy' } },
};
