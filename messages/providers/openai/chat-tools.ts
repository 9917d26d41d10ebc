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

/** The tools of a request as functions, with the translation of names in both directions. */
export interface ChatTools {
  readonly functions: readonly ChatCompletionFunctionTool[];
  /** The name of a tool use's function; its own name where the tool is not offered any more. */
  functionOf(use: NamedUse): string;
  /** Finds the tool of a function that the model called. */
  useOf(functionName: string): { readonly name: string; readonly toolset_name?: string };
}

/** Names a member's function after the member, with the toolset's name before it where another tool has that name. */
function memberFunction(member: string, taken: ReadonlySet<string>): string {
  return taken.has(member) ? memberFunction(`${COMPUTER_TOOLSET_NAME}_${member}`, taken) : member;
}

/** Makes the functions of an entry of `tools`. */
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

/** Translates `tool_choice` into the fields of chat completions; there are none where the request has no choice. */
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
