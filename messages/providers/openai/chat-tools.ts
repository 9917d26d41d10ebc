import type {
  ChatCompletionFunctionTool,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions/completions.js';
import { InvalidRequestError } from '@steadyhand/contracts';
import type { ToolParam } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { functionsOf } from '../../tools/provider-tools.ts';
import {
  COMPUTER_TOOLSET_NAME,
  isNamed,
  isToolset,
  membersOf,
  type NamedUse,
} from '../../tools/tool-names.ts';

/** The tools of a request as functions, with the way from the names of one side to those of the other. */
export interface ChatTools {
  readonly functions: readonly ChatCompletionFunctionTool[];
  /** The function that a tool use is a call of; for a tool that is offered no more, its own name. */
  functionOf(use: NamedUse): string;
  /** What a tool use says of its tool, from the name that the model called. */
  useOf(functionName: string): { readonly name: string; readonly toolset_name?: string };
}

/** A member's function has the member's name, unless another tool has taken it: then its toolset's too. */
function memberFunction(member: string, taken: ReadonlySet<string>): string {
  return taken.has(member) ? memberFunction(`${COMPUTER_TOOLSET_NAME}_${member}`, taken) : member;
}

/** One entry of `tools` as the functions that it offers. `strict` only where the client asked for it. */
function offered(tool: ToolParam, functionOf: ChatTools['functionOf']): ChatCompletionFunctionTool[] {
  const strict = 'strict' in tool && tool.strict === true ? { strict: true } : {};
  const toolset = isToolset(tool) ? { toolset_name: COMPUTER_TOOLSET_NAME } : {};
  return functionsOf(tool).map(({ name, description, input_schema: schema }) => ({
    type: 'function',
    function: {
      name: functionOf({ name, ...toolset }),
      ...(description === '' ? {} : { description }),
      parameters: schema as Record<string, unknown>,
      ...strict,
    },
  }));
}

export function chatTools(tools: readonly ToolParam[]): ChatTools {
  const named = new Set(tools.flatMap((tool) => (isNamed(tool) ? [tool.name] : [])));
  const members = new Map<string, string>();
  for (const tool of tools) {
    if (!isToolset(tool)) continue;
    for (const member of membersOf(tool)) members.set(memberFunction(member, named), member);
  }
  const functionNames = new Map([...members].map(([name, member]) => [member, name]));
  const functionOf: ChatTools['functionOf'] = ({ name, toolset_name: toolset }) =>
    toolset == null ? name : (functionNames.get(name) ?? memberFunction(name, named));
  return {
    functions: tools.flatMap((tool) => offered(tool, functionOf)),
    functionOf,
    useOf(functionName) {
      const member = members.get(functionName);
      return member === undefined
        ? { name: functionName }
        : { name: member, toolset_name: COMPUTER_TOOLSET_NAME };
    },
  };
}

type Choice = Pick<ModelRequest, 'tools' | 'tool_choice'>;

/** `tool_choice` and `parallel_tool_calls` of a chat completion. Nothing where the request leaves them open. */
export function chatChoice({ tools, tool_choice: choice }: Choice): {
  tool_choice?: ChatCompletionToolChoiceOption;
  parallel_tool_calls?: boolean;
} {
  if (choice === undefined || tools.length === 0) return {};
  const single = 'disable_parallel_tool_use' in choice ? choice.disable_parallel_tool_use : undefined;
  const parallel = single === undefined ? {} : { parallel_tool_calls: !single };
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { tool_choice: choice.type, ...parallel };
    case 'any':
      return { tool_choice: 'required', ...parallel };
    case 'tool':
      if (!tools.some((tool) => isNamed(tool) && tool.name === choice.name)) {
        throw new InvalidRequestError(
          `tool_choice.name: no tool of this request has the name '${choice.name}'`,
        );
      }
      return { tool_choice: { type: 'function', function: { name: choice.name } }, ...parallel };
  }
}
