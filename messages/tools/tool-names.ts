import type { ComputerMember, ComputerToolset, NamedTool, ToolParam } from '../api/api-types.ts';

/** The `toolset_name` of a use of a computer toolset's member, and of its result. */
export const COMPUTER_TOOLSET_NAME = 'computer';

/** The members of `computer_toolset_20260801`, all of them on unless `configs` says otherwise. */
export const COMPUTER_MEMBERS = [
  'key',
  'hold_key',
  'type',
  'cursor_position',
  'mouse_move',
  'left_mouse_down',
  'left_mouse_up',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
  'triple_click',
  'scroll',
  'wait',
  'screenshot',
  'zoom',
] as const satisfies readonly ComputerMember[];

/** What a tool use says of the tool that it is of. */
export interface NamedUse {
  readonly name: string;
  readonly toolset_name?: string | null;
}

export function isToolset(tool: ToolParam): tool is ComputerToolset {
  return tool.type === 'computer_toolset_20260801';
}

export function isNamed(tool: ToolParam): tool is NamedTool {
  return 'name' in tool;
}

/** The members that a toolset offers: those that are not switched off. */
export function membersOf({ configs }: ComputerToolset): readonly ComputerMember[] {
  return COMPUTER_MEMBERS.filter((member) => configs?.[member]?.enabled !== false);
}

/**
 * The names that a model's tool use may carry for an entry of `tools`: its own, or its enabled members'. None of a toolset
 * whose members are unknown here.
 */
export function namesOf(tool: ToolParam): readonly string[] {
  if (isToolset(tool)) return membersOf(tool);
  return isNamed(tool) ? [tool.name] : [];
}

/** The name that an entry is told apart by: its own, or its toolset's. */
export function entryName(tool: ToolParam): string {
  if (isNamed(tool)) return tool.name;
  switch (tool.type) {
    case 'computer_toolset_20260801':
      return COMPUTER_TOOLSET_NAME;
    case 'browser_toolset_20260801':
      return 'browser';
    default:
      return `mcp:${tool.mcp_server_name}`;
  }
}

/**
 * The entry of `tools` that a tool use is of. A use that names a toolset is of that toolset alone; one that names none is of
 * the tool of its name, and only where there is none such of a toolset with a member of that name.
 */
export function toolFor<T extends ToolParam>(
  tools: readonly T[],
  { name, toolset_name: toolset }: NamedUse,
): T | undefined {
  const ofToolset = (tool: T): boolean => isToolset(tool) && namesOf(tool).includes(name);
  if (toolset != null) {
    return toolset === COMPUTER_TOOLSET_NAME ? tools.find((tool) => ofToolset(tool)) : undefined;
  }
  return tools.find((tool) => isNamed(tool) && tool.name === name) ?? tools.find((tool) => ofToolset(tool));
}
