import type { ToolParam } from '../../api-types.ts';
import { InvalidRequest } from '../../errors.ts';
import type { ToolChoiceInput } from '../request-schema.ts';

/** Names are unique, and a choice is a choice among the tools offered. */
export function checkTools(tools: readonly ToolParam[], choice: ToolChoiceInput | undefined): void {
  const names = new Set(tools.map((tool) => tool.name));
  if (names.size < tools.length) throw new InvalidRequest('tools: Tool names must be unique.');
  if (choice === undefined) return;
  if (tools.length === 0) {
    const type = typeof choice === 'string' ? choice : choice.type;
    throw new InvalidRequest(`tool_choice.${type} may only be specified while providing tools.`);
  }
  if (typeof choice !== 'string' && choice.type === 'tool' && !names.has(choice.name)) {
    throw new InvalidRequest(`tool_choice: Tool '${choice.name}' not found in provided tools`);
  }
}
