import type { ComputerMember, ComputerToolset, NamedTool, ToolParam } from '../api/api-types.ts';

/** The `toolset_name` of a use of a computer toolset's member, and of its result. */
export const COMPUTER_TOOLSET_NAME = 'computer';

/** The members of `computer_toolset_20260801`, which are enabled by default. */
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

/** The fields of a tool use that identify its tool. */
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

/** The enabled members of a toolset. */
export function membersOf({ configs }: ComputerToolset): readonly ComputerMember[] {
  return COMPUTER_MEMBERS.filter((member) => configs?.[member]?.enabled !== false);
}

/**
 * The names that tool uses may have for an entry of `tools`: its own, or those of its enabled members. A toolset whose
 * members are unknown here has none.
 */
export function namesOf(tool: ToolParam): readonly string[] {
  if (isToolset(tool)) return membersOf(tool);
  return isNamed(tool) ? [tool.name] : [];
}

/** The name that identifies an entry: its own, or its toolset's. */
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
 * Finds the entry of `tools` to which a tool use belongs. A use with a toolset's name belongs to that toolset. Any
 * other use belongs to the tool of its name, or else to a toolset with such a member.
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
