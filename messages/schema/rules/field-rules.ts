import { InvalidRequestError } from '@steadyhand/contracts';
import type { ModelRequest } from '../../api/request.ts';
import type { ToolParam } from '../../api/api-types.ts';
import { entryName, isNamed, isToolset, namesOf } from '../../tools/tool-names.ts';
import type { ToolChoiceInput } from '../request-schema.ts';

/** With this beta a model also thinks between tool uses, and the budget is for all replies of a turn. */
const INTERLEAVED = 'interleaved-thinking-2025-05-14';
const LEAST_TOP_P = 0.95;

function checkThinking(request: ModelRequest, budget: number): void {
  const { max_tokens: maxTokens, temperature, top_p: topP, top_k: topK, tool_choice: choice } = request;
  const interleaved = request.betas.includes(INTERLEAVED) && request.tools.length > 0;
  if (budget >= maxTokens && !interleaved) {
    throw new InvalidRequestError('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (temperature !== undefined && temperature !== 1) {
    throw new InvalidRequestError('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (topP !== undefined && topP < LEAST_TOP_P) {
    throw new InvalidRequestError(
      `\`top_p\` must be greater than or equal to ${LEAST_TOP_P} or unset when thinking is enabled.`,
    );
  }
  if (topK !== undefined) throw new InvalidRequestError('`top_k` must be unset when thinking is enabled.');
  if (choice?.type === 'any' || choice?.type === 'tool') {
    throw new InvalidRequestError('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

/** Checks the rules between the fields that control sampling, thinking and output. */
export function checkSampling(request: ModelRequest): void {
  for (const sequence of request.stop_sequences ?? []) {
    if (sequence.trim() === '') {
      throw new InvalidRequestError('stop_sequences: each stop sequence must contain non-whitespace');
    }
  }
  if (request.thinking?.type === 'enabled') checkThinking(request, request.thinking.budget_tokens);
  if (request.output_format != null && request.output_config?.format != null) {
    throw new InvalidRequestError('output_format: cannot be combined with `output_config.format`');
  }
  if (request.compaction != null && request.context_management != null) {
    throw new InvalidRequestError('compaction: cannot be combined with `context_management`');
  }
}

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
