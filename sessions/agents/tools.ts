import type { BetaManagedAgentsWebFetchToolConfig as WebFetchConfig } from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import { defined, entryName, type NamedUse, namesOf, toolFor, type ToolParam } from '@steadyhand/messages';
import type { AgentTool, Policy } from './agent.ts';
import { TOOLSET_MEMBERS, type ToolsetMember } from './toolset-members.ts';

const ALLOW: Policy = { type: 'always_allow' };
const ASK: Policy = { type: 'always_ask' };

/** A tool as a sandbox is asked to perform it; for a toolset, `name` is the member in use. */
interface PerformedTool {
  readonly type: string;
  readonly name: string;
}

/** A tool as it is offered to the model, with the agent's settings for its use. */
interface OfferedTool {
  readonly definition: ToolParam;
  /** The tool as the sandbox knows it, without the name, which comes from the use; null for a custom tool. */
  readonly performed: Omit<PerformedTool, 'name'> | null;
  /** Null for a custom tool, which the client runs, so that there is nothing to allow. */
  readonly policy: Policy | null;
}

/**
 * The tools that an agent's `tools` offer to the model. Each enabled member of the agent toolset is a custom tool with
 * a schema, as no model has these built in.
 */
function offeredTools(tools: readonly AgentTool[]): readonly OfferedTool[] {
  return tools.flatMap((tool): readonly OfferedTool[] => {
    switch (tool.type) {
      case 'custom': {
        const definition = { ...tool, input_schema: { ...tool.input_schema } };
        return [{ definition, performed: null, policy: null }];
      }
      case 'agent_toolset_20260401':
        return TOOLSET_MEMBERS.flatMap((member) => {
          const config = tool.configs.find(({ name }) => name === member.name);
          return config?.enabled === true ? [memberOf(tool.type, config, member)] : [];
        });
      default: {
        const { permission_policy: policy, ...definition } = tool;
        return [{ definition, performed: definition, policy }];
      }
    }
  });
}

type ToolConfig = Extract<AgentTool, { type: 'agent_toolset_20260401' }>['configs'][number];

function memberOf(type: string, config: ToolConfig, member: ToolsetMember): OfferedTool {
  const policy = config.permission_policy.type === 'always_allow' ? ALLOW : ASK;
  const { allowed_domains, blocked_domains, max_content_tokens }: Partial<WebFetchConfig> =
    config.name === 'web_fetch' ? config : {};
  return {
    definition: { type: 'custom', ...member },
    performed: {
      type,
      ...defined({ allowed_domains, blocked_domains, max_content_tokens: max_content_tokens ?? undefined }),
    },
    policy,
  };
}

/** The offered tool that a model's use is of; undefined when the agent has no such tool. */
export function offeredFor(tools: readonly AgentTool[], use: NamedUse): OfferedTool | undefined {
  const offered = offeredTools(tools);
  const found = toolFor(
    offered.map(({ definition }) => definition),
    use,
  );
  return offered.find(({ definition }) => definition === found);
}

/**
 * The tool that a model's use is of, as a sandbox is asked to perform it; undefined when the agent has no such tool, or
 * the client runs it.
 */
export function performedFor(tools: readonly AgentTool[], use: NamedUse): PerformedTool | undefined {
  const performed = offeredFor(tools, use)?.performed;
  return performed == null ? undefined : { ...performed, name: use.name };
}

/** The tool definitions of a model request, in the agent's order. */
export function toolDefinitions(tools: readonly AgentTool[]): readonly ToolParam[] {
  return offeredTools(tools).map(({ definition }) => definition);
}

/** The names that the model sees: that of a toolset, and those of its members. */
export function toolNames(tool: AgentTool): readonly string[] {
  return toolDefinitions([tool]).flatMap((definition) => [
    ...new Set([entryName(definition), ...namesOf(definition)]),
  ]);
}
