import type {
  BetaManagedAgentsAgent,
  BetaManagedAgentsAgentToolset20260401,
  BetaManagedAgentsAlwaysAllowPolicy,
  BetaManagedAgentsAlwaysAskPolicy,
  BetaManagedAgentsCustomTool,
  BetaManagedAgentsModelConfig,
} from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import type { ContextCare } from '../../messages/index.ts';

export type Policy = BetaManagedAgentsAlwaysAllowPolicy | BetaManagedAgentsAlwaysAskPolicy;

interface WithPolicy {
  readonly permission_policy: Policy;
}

/** The Messages API's provider-defined tools, each with a permission policy. */
export interface ComputerToolConfig extends WithPolicy {
  readonly type: 'computer_20241022';
  readonly name: 'computer';
  readonly display_width_px: number;
  readonly display_height_px: number;
  readonly display_number?: number | null;
}
export interface TextEditorToolConfig extends WithPolicy {
  readonly type: 'text_editor_20241022';
  readonly name: 'str_replace_editor';
}
export interface BashToolConfig extends WithPolicy {
  readonly type: 'bash_20241022';
  readonly name: 'bash';
}
export type ProviderToolConfig = ComputerToolConfig | TextEditorToolConfig | BashToolConfig;

/** One entry of an agent's `tools`, as answered: the SDK's forms, and the provider-defined tools. */
export type AgentTool =
  BetaManagedAgentsAgentToolset20260401 | BetaManagedAgentsCustomTool | ProviderToolConfig;

/** What of an agent is the same in the agent, in its versions and in a session's copy. */
export interface AgentConfig {
  readonly name: string;
  readonly description: string | null;
  readonly model: BetaManagedAgentsModelConfig;
  readonly system: string | null;
  readonly tools: readonly AgentTool[];
  /** What is done to the conversation before the model sees it; an extension of the API. */
  readonly context_care?: ContextCare;
}

/** A session's copy of its agent: one version, with the session's overrides applied. */
export interface ResolvedAgent extends AgentConfig {
  readonly id: string;
  readonly version: number;
}

/** An agent as answered: the SDK's shape, with the provider-defined tools beside the SDK's in `tools`, and `context_care`. */
export type Agent = Omit<BetaManagedAgentsAgent, 'tools'> &
  Pick<AgentConfig, 'context_care'> & { readonly tools: readonly AgentTool[] };
