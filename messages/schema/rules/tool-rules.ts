import { InvalidRequestError } from '@steadyhand/contracts';
import type { ToolParam } from '../../api/api-types.ts';
import { entryName, isNamed, isToolset, namesOf } from '../../tools/tool-names.ts';
import type { ToolChoiceInput } from '../request-schema.ts';

/** Only a tool with a name of its own can be chosen; among a toolset's members the model chooses. */
function checkChosen(tools: readonly ToolParam[], name: string): void {
  if (tools.some((tool) => isNamed(tool) && tool.name === name)) return;
  const toolset = tools.find((tool) => isToolset(tool) && [entryName(tool), ...namesOf(tool)].includes(name));
  if (toolset === undefined) {
    throw new InvalidRequestError(`tool_choice: Tool '${name}' not found in provided tools`);
  }
  const what = entryName(toolset) === name ? 'the name' : 'a member';
  throw new InvalidRequestError(
    `tool_choice.tool.name: '${name}' is ${what} of the toolset '${toolset.type}', which a choice of type 'tool' cannot ` +
      "name; use 'auto', 'any' or 'none'",
  );
}

/**
 * Checks that names are unique and that the chosen tool is offered. A toolset occupies its `toolset_name`, so no other
 * tool may have that name; the names of its members stay free.
 */
export function checkTools(tools: readonly ToolParam[], choice: ToolChoiceInput | undefined): void {
  const names = new Set(tools.map((tool) => entryName(tool)));
  if (names.size < tools.length) throw new InvalidRequestError('tools: Tool names must be unique.');
  if (choice === undefined) return;
  if (tools.length === 0) {
    const type = typeof choice === 'string' ? choice : choice.type;
    throw new InvalidRequestError(`tool_choice.${type} may only be specified while providing tools.`);
  }
  if (typeof choice !== 'string' && choice.type === 'tool') checkChosen(tools, choice.name);
}
