import {
  type ActionOutcome,
  type ActionRequest,
  AGENT_TOOLSET,
  NOT_EXECUTED,
  type ResultContent,
  type ToolDefinition,
} from '@steadyhand/contracts';
import { toolFor, type ToolParam } from '@steadyhand/messages';
import { agentTools, performedFor } from '@steadyhand/sessions';

/** A tool use of a reply, as the model wrote it. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly toolset_name?: string | null;
  readonly input?: unknown;
}

/** A tool as a request lists it; a toolset has no name. */
export type ListedTool = Omit<ToolDefinition, 'name'> & { readonly name?: string };

/** What the model is to be told of one tool use. */
export interface ToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** The name as the use has it. */
  readonly toolset_name?: string;
  readonly content: string | readonly ResultContent[];
  readonly is_error: boolean;
}

/** Performs the tool uses of a reply in order, each at most once in the life of the sandbox: a result for each. */
export async function toToolResults(
  tools: readonly ListedTool[],
  uses: readonly ToolUse[],
  performAll: (actions: readonly ActionRequest[]) => Promise<readonly ActionOutcome[]>,
): Promise<ToolResult[]> {
  let failed = false;
  const planned = uses.map((use): { readonly use: ToolUse; readonly action: ActionRequest | string } => {
    if (failed && use.toolset_name != null) return { use, action: NOT_EXECUTED };
    const action = actionOf(tools, use);
    if (action === null && use.toolset_name != null) failed = true;
    return { use, action: action ?? `Tool ${use.name} is invalid` };
  });
  const actions = planned.flatMap(({ action }) => (typeof action === 'string' ? [] : action));
  const outcomes = actions.length === 0 ? [] : await performAll(actions);
  let next = 0;
  return planned.map(({ use, action }) => {
    if (typeof action === 'string') return resultOf(use, true, action);
    const outcome = outcomes[next++];
    if (outcome === undefined) throw new Error(`the sandbox gave no outcome for ${use.id}`);
    return outcomeResult(use, outcome);
  });
}

/** Whether an entry stands for several tools, which a use names one of. */
export function isToolset({ type }: Pick<ListedTool, 'type'>): boolean {
  return type === 'computer_toolset_20260801' || type === AGENT_TOOLSET;
}

/** A use of a toolset is of the member that it names. */
function actionOf(tools: readonly ListedTool[], use: ToolUse): ActionRequest | null {
  // Only names are compared here, because the rest of a definition is the sandbox's affair.
  const tool = toolFor(tools as readonly ToolParam[], use) as ListedTool | undefined;
  if (tool === undefined) return memberAction(tools, use);
  const { type, name: _, ...rest } = tool;
  return { key: use.id, tool: { ...rest, type, name: use.name }, input: use.input };
}

/** A use of a member of the agent toolset, whose members are tools by their own names. */
function memberAction(tools: readonly ListedTool[], use: ToolUse): ActionRequest | null {
  if (use.toolset_name != null) return null;
  // The toolsets were checked with the request.
  const toolsets = agentTools.parse(
    tools.filter(({ type, name }) => type === AGENT_TOOLSET && name === undefined),
  );
  const tool = performedFor(toolsets, use);
  return tool === undefined ? null : { key: use.id, tool, input: use.input };
}

function outcomeResult(use: ToolUse, outcome: ActionOutcome): ToolResult {
  if (outcome.status === 'unknown') {
    return resultOf(
      use,
      true,
      `Outcome unknown: ${outcome.reason}. The action was not repeated; look at the screen before going on.`,
    );
  }
  return resultOf(use, outcome.is_error, outcome.content);
}

function resultOf(
  { id, toolset_name: toolset }: ToolUse,
  is_error: boolean,
  content: ToolResult['content'],
): ToolResult {
  const named = toolset == null ? {} : { toolset_name: toolset };
  return { type: 'tool_result', tool_use_id: id, ...named, content, is_error };
}
