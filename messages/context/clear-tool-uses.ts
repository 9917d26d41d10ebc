import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';
import { countInputTokens } from '../tokens/request-tokens.ts';
import { entryName, toolFor } from '../tools/tool-names.ts';

type Edit = Extract<
  NonNullable<NonNullable<ModelRequest['context_management']>['edits']>[number],
  { readonly type: 'clear_tool_uses_20250919' }
>;

/** The report about an edit in the API's answers. */
export interface ClearedToolUses {
  readonly type: 'clear_tool_uses_20250919';
  readonly cleared_tool_uses: number;
  readonly cleared_input_tokens: number;
}

/** Stands in the place of a cleared result, so that the model knows of it. */
export const CLEARED_RESULT = '[an earlier tool result, cleared]';

/** The API's own defaults. */
const TRIGGER_TOKENS = 100_000;
const KEEP = 3;

/**
 * Carries out the edit `clear_tool_uses_20250919`: once its trigger is reached, it clears the results of all but the
 * newest tool uses, and on demand their inputs. The result is undefined where nothing changes. Tokens are counted
 * locally.
 */
export function clearToolUses(
  request: ModelRequest,
  edit: Edit,
): { readonly request: ModelRequest; readonly cleared: ClearedToolUses } | undefined {
  const uses = answeredUses(request.messages);
  const { trigger = { type: 'input_tokens', value: TRIGGER_TOKENS } } = edit;
  const before = countInputTokens(request);
  if ((trigger.type === 'tool_uses' ? uses.length : before) <= trigger.value) return undefined;

  const excluded = edit.exclude_tools ?? [];
  const older = uses.slice(0, Math.max(0, uses.length - (edit.keep?.value ?? KEEP)));
  const clearing = older.filter((use) => !namesOf(use, request).some((name) => excluded.includes(name)));
  if (clearing.length === 0) return undefined;
  const ids = new Set(clearing.map(({ id }) => id));
  const withoutInput = new Set(clearing.filter((use) => losesInput(use, edit, request)).map(({ id }) => id));
  const messages = request.messages.map((message) => clearedMessage(message, ids, withoutInput));
  const edited = { ...request, messages };
  const tokens = before - countInputTokens(edited);
  if (tokens < (edit.clear_at_least?.value ?? 0)) return undefined;
  return {
    request: edited,
    cleared: {
      type: edit.type,
      cleared_tool_uses: clearing.length,
      cleared_input_tokens: Math.max(0, tokens),
    },
  };
}

function blocksOf({ content }: MessageParam): readonly ContentBlockParam[] {
  return Array.isArray(content) ? (content as ContentBlockParam[]) : [];
}

/** In the order of the conversation. */
function answeredUses(messages: readonly MessageParam[]): readonly ToolUseBlockParam[] {
  const blocks = messages.flatMap(blocksOf);
  const answered = new Set(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  );
  return blocks.flatMap((block) => (block.type === 'tool_use' && answered.has(block.id) ? [block] : []));
}

/** The edit may name a tool use by its own name or by that of the entry in `tools`. */
function namesOf(use: ToolUseBlockParam, { tools }: ModelRequest): readonly string[] {
  const tool = toolFor(tools, use);
  return tool === undefined ? [use.name] : [use.name, entryName(tool)];
}

function losesInput(
  use: ToolUseBlockParam,
  { clear_tool_inputs: inputs }: Edit,
  request: ModelRequest,
): boolean {
  return Array.isArray(inputs)
    ? namesOf(use, request).some((name) => inputs.includes(name))
    : inputs === true;
}

function clearedMessage(
  message: MessageParam,
  ids: ReadonlySet<string>,
  withoutInput: ReadonlySet<string>,
): MessageParam {
  const blocks = blocksOf(message);
  const isTouched = blocks.some(
    (block) =>
      (block.type === 'tool_result' && ids.has(block.tool_use_id)) ||
      (block.type === 'tool_use' && withoutInput.has(block.id)),
  );
  if (!isTouched) return message;
  const content = blocks.map((block): ContentBlockParam => {
    if (block.type === 'tool_use' && withoutInput.has(block.id)) return { ...block, input: {} };
    if (block.type !== 'tool_result' || !ids.has(block.tool_use_id)) return block;
    return { ...block, content: CLEARED_RESULT } satisfies ToolResultBlockParam;
  });
  return { ...message, content } as MessageParam;
}
