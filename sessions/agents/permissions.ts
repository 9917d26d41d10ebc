import type { BetaManagedAgentsAgentToolEvaluation } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import type { NamedUse } from '@steadyhand/messages';
import type { AgentTool } from './agent.ts';
import { offeredFor, performedFor } from './tools.ts';
import type { Permission } from '../events/types.ts';
import { factsOf } from '../policy/action-facts.ts';
import { evaluatePolicies, type PolicyDecision, type SourcedPolicy } from '../policy/evaluate.ts';
import { grantedBy, type HeldGrant } from '../policy/grant.ts';

/** What is to happen with a tool use of the model. */
type ToolUseVerdict =
  /** Run in the sandbox: at once (`allow`), after the user's confirmation (`ask`), or not at all (`deny`). */
  | {
      readonly by: 'sandbox';
      readonly permission: Permission;
      /** The permission policy that decided; absent when the agent has no such tool. */
      readonly evaluation?: BetaManagedAgentsAgentToolEvaluation;
      /** The rule that decided in place of the tool's own permission. */
      readonly policy_decision?: PolicyDecision;
    }
  /** A custom tool: the client runs it and sends the result. */
  | { readonly by: 'client' };

/** The decisions of rules on the tool uses of a reply, by the use; uses that no rule matches are absent. */
export type Decided<Use extends object = object> = ReadonlyMap<Use, PolicyDecision>;

/** What decides on tool uses: policies, and what a person has allowed for the rest of the session. */
interface Deciding {
  readonly policies: readonly SourcedPolicy[];
  readonly grants?: readonly HeldGrant[] | undefined;
}

/**
 * Evaluates the policies for the tool uses of a reply, but for custom tools and tools that the agent does not have. Where a
 * person would be asked, a grant answers.
 * @param windowTitle the title of the window that has the keyboard; null where there is none
 */
export async function decideUses<Use extends NamedUse & { readonly input?: unknown }>(
  tools: readonly AgentTool[],
  uses: readonly Use[],
  { policies, grants = [] }: Deciding,
  windowTitle: string | null,
): Promise<Decided<Use>> {
  const decided = new Map<Use, PolicyDecision>();
  for (const use of uses) {
    const performed = performedFor(tools, use);
    if (performed === undefined) continue;
    const facts = factsOf({ ...performed, input: use.input });
    const decision = await evaluatePolicies(policies, facts, windowTitle);
    const answer = asks(tools, use, decision) ? await grantedBy(grants, facts) : undefined;
    const final = answer ?? decision;
    if (final !== undefined) decided.set(use, final);
  }
  return decided;
}

function asks(tools: readonly AgentTool[], use: NamedUse, decision: PolicyDecision | undefined): boolean {
  const verdict = permissionFor(tools, use, decision);
  return verdict.by === 'sandbox' && verdict.permission === 'ask';
}

/**
 * Decides for one tool use: by the first rule that matches, else by the tool's own permission. A tool that the agent
 * does not have is denied.
 */
export function permissionFor(
  tools: readonly AgentTool[],
  use: NamedUse,
  decided?: PolicyDecision,
): ToolUseVerdict {
  const offered = offeredFor(tools, use);
  if (offered === undefined) return { by: 'sandbox', permission: 'deny' };
  if (offered.policy === null) return { by: 'client' };
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

/** The SDK's form of an evaluation by rules. */
const EVALUATED: Readonly<Record<Permission, BetaManagedAgentsAgentToolEvaluation>> = {
  allow: { type: 'auto', evaluated_permission: { type: 'allow' } },
  ask: { type: 'auto', evaluated_permission: { type: 'ask', reason_code: 'policy' } },
  deny: { type: 'auto', evaluated_permission: { type: 'deny', reason_code: 'policy' } },
};
