import { entryName, namesOf, toolFor, type NamedUse, type ToolParam } from '../../messages/index.ts';
import type { AgentTool, Policy } from './agent.ts';

/** A tool as the model is offered it, and what the agent says of its use. */
export interface OfferedTool {
  readonly definition: ToolParam;
  /** Null for a custom tool: the client runs it, so there is nothing to allow. */
  readonly policy: Policy | null;
}

/**
 * What an agent's `tools` offer to the model. The official toolset stands for the tools of a sandbox here: `bash` for
 * the bash tool, and `read`, `write` and `edit` for the text editor, which does all three and so takes the strictest of
 * their policies.
 */
export function offeredTools(tools: readonly AgentTool[]): readonly OfferedTool[] {
  return tools.flatMap((tool): readonly OfferedTool[] => {
    switch (tool.type) {
      case 'custom':
        return [{ definition: { ...tool, input_schema: { ...tool.input_schema } }, policy: null }];
      case 'agent_toolset_20260401': {
        const enabled = tool.configs.filter((config) => config.enabled);
        const bash = enabled.filter(({ name }) => name === 'bash');
        const editor = enabled.filter(({ name }) => name === 'read' || name === 'write' || name === 'edit');
        return [
          ...(bash.length === 0
            ? []
            : [{ definition: { type: 'bash_20241022', name: 'bash' } as const, policy: strictest(bash) }]),
          ...(editor.length === 0
            ? []
            : [
                {
                  definition: { type: 'text_editor_20241022', name: 'str_replace_editor' } as const,
                  policy: strictest(editor),
                },
              ]),
        ];
      }
      default: {
        const { permission_policy: policy, ...definition } = tool;
        return [{ definition, policy }];
      }
    }
  });
}

/** The tool that a model's use is of; undefined when the agent has none such. */
export function offeredFor(tools: readonly AgentTool[], use: NamedUse): OfferedTool | undefined {
  const offered = offeredTools(tools);
  const found = toolFor(
    offered.map(({ definition }) => definition),
    use,
  );
  return offered.find(({ definition }) => definition === found);
}

/** The tool definitions of a model request, in the agent's order. */
export function toolDefinitions(tools: readonly AgentTool[]): readonly ToolParam[] {
  return offeredTools(tools).map(({ definition }) => definition);
}

/** The names that the model sees: a toolset's own, and its members'. */
export function toolNames(tool: AgentTool): readonly string[] {
  return toolDefinitions([tool]).flatMap((definition) => [
    ...new Set([entryName(definition), ...namesOf(definition)]),
  ]);
}

function strictest(configs: readonly { readonly permission_policy: { readonly type: string } }[]): Policy {
  return configs.every(({ permission_policy }) => permission_policy.type === 'always_allow')
    ? { type: 'always_allow' }
    : { type: 'always_ask' };
}
