import type {
  BetaManagedAgentsAgent,
  BetaManagedAgentsAgentToolset20260401,
  BetaManagedAgentsAlwaysAllowPolicy,
  BetaManagedAgentsAlwaysAskPolicy,
  BetaManagedAgentsCustomTool,
  BetaManagedAgentsModelConfig,
} from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import type { ContextCare, ProviderTool } from '@steadyhand/messages';
import type { ActionPolicy } from '../policy/action-policy.ts';

export type Policy = BetaManagedAgentsAlwaysAllowPolicy | BetaManagedAgentsAlwaysAskPolicy;

interface WithPolicy {
  readonly permission_policy: Policy;
}

/** The fields of a provider-defined tool that an agent may set; the others concern a single request. */
type OwnField =
  | 'type'
  | 'name'
  | 'display_width_px'
  | 'display_height_px'
  | 'display_number'
  | 'enable_zoom'
  | 'max_characters'
  | 'configs';

type OwnFields<T> = T extends ProviderTool ? Readonly<Pick<T, Extract<keyof T, OwnField>>> : never;

/** The Messages API's provider-defined tools of every generation, each with a permission policy. */
export type ProviderToolConfig = OwnFields<ProviderTool> & WithPolicy;

/** One entry of an agent's `tools`, as it is answered: the SDK's forms, and the provider-defined tools. */
export type AgentTool =
  | BetaManagedAgentsAgentToolset20260401
  | BetaManagedAgentsCustomTool
  | ProviderToolConfig;

/** The fields that an agent, its versions and a session's copy share. */
export interface AgentConfig {
  readonly name: string;
  readonly description: string | null;
  readonly model: BetaManagedAgentsModelConfig;
  readonly system: string | null;
  readonly tools: readonly AgentTool[];
  /** How the conversation is prepared before the model sees it; an extension of the API. */
  readonly context_care?: ContextCare;
  /** Rules on single actions; an extension of the API. */
  readonly policy?: ActionPolicy;
}

/** A session's copy of its agent: one version, with the session's overrides applied. */
export interface ResolvedAgent extends AgentConfig {
  readonly id: string;
  readonly version: number;
}

/** An agent as it is answered: the SDK's shape, with provider-defined tools in `tools`, `context_care` and `policy`. */
export type Agent = Omit<BetaManagedAgentsAgent, 'tools'> &
  Pick<AgentConfig, 'context_care' | 'policy'> & { readonly tools: readonly AgentTool[] };
