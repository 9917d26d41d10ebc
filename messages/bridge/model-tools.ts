import { TOOL_SETS, type ToolGenerations } from '../tools/generations.ts';

/** The first models that take the toolset also take the tool before it. */
const TOOLS_OF_BOTH: ToolGenerations = {
  ...TOOL_SETS.toolset,
  also: ['computer_20251124', 'text_editor_20250429'],
};

/** The models of each set of generations, according to the API's documentation of November 2026. */
const MODELS: readonly (readonly [tools: ToolGenerations, models: string])[] = [
  [TOOL_SETS['20241022'], '3-5-sonnet-20241022 3-5-sonnet-latest'],
  [TOOL_SETS['20250124'], '3-7-sonnet'],
  [TOOL_SETS['20250728'], 'opus-4 sonnet-4 opus-4-0 sonnet-4-0 opus-4-1 sonnet-4-5 haiku-4-5'],
  [TOOL_SETS['20251124'], 'opus-4-5 opus-4-6 sonnet-4-6 opus-4-7'],
  [TOOLS_OF_BOTH, 'opus-4-8 opus-5 sonnet-5 fable-5 mythos-5 fable-5-1 mythos-5-1'],
  [TOOL_SETS.toolset, 'opus-5-5 sonnet-5-5 haiku-5-5 fable-5-2 mythos-5-2'],
];

const byModel: ReadonlyMap<string, ToolGenerations> = new Map(
  MODELS.flatMap(([tools, models]) => models.split(' ').map((model) => [`claude-${model}`, tools] as const)),
);

/** The end of a model's name: the date of a snapshot, or the alias of the newest one. */
const SNAPSHOT = /-(?:\d{8}|latest)$/;

/**
 * Finds the generations of the tools that a model of Anthropic's API takes by its name there. The result is undefined
 * for a name that the documentation does not list, such as a cloud's own name for a model; that model gets what the
 * client lists.
 */
export function modelTools(model: string): ToolGenerations | undefined {
  return byModel.get(model) ?? byModel.get(model.replace(SNAPSHOT, ''));
}
