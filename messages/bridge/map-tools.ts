import { InvalidRequestError } from '@steadyhand/contracts';
import { COMPUTER_FORMS } from '../actions/computer-forms.ts';
import { EDITOR_FORMS } from '../tools/editor-fields.ts';
import type {
  BashTool,
  ComputerMember,
  ComputerTool,
  ComputerToolset,
  TextEditorTool,
  ToolParam,
} from '../api/api-types.ts';
import type { ComputerGeneration, EditorGeneration, ToolGenerations } from '../tools/generations.ts';
import { entryName, isToolset } from '../tools/tool-names.ts';
import { ComputerPair, missingActions, offeredBy } from './computer-pair.ts';
import type { DisplaySize } from './display-size.ts';
import { EditorPair } from './editor-pair.ts';
import type { ToolPair } from './tool-pair.ts';
import { defined } from '../api/defined.ts';

type Examples = NonNullable<ComputerTool['input_examples']>;

interface MappedTools {
  /** The client's own array where nothing had to be translated. */
  readonly tools: readonly ToolParam[];
  readonly pairs: readonly ToolPair[];
}

function isComputer(tool: ToolParam): tool is ComputerTool | ComputerToolset {
  return tool.type != null && Object.hasOwn(COMPUTER_FORMS, tool.type);
}

function isEditor(tool: ToolParam): tool is TextEditorTool {
  return tool.type != null && Object.hasOwn(EDITOR_FORMS, tool.type);
}

function isBash(tool: ToolParam): tool is BashTool {
  return tool.type === 'bash_20241022' || tool.type === 'bash_20250124';
}

/** The pair with the examples of input translated. One that would take several inputs upstream is dropped. */
function withExamples<U extends ToolParam, P extends ToolPair>(
  pairWith: (upstream: U) => P,
  upstream: U,
  examples: Examples | undefined,
): P {
  const pair = pairWith(upstream);
  if (examples === undefined) return pair;
  const mapped = examples.flatMap((input) => {
    const uses = pair.toUpstream([{ name: entryName(pair.client), input }]) ?? [];
    return uses.length === 1 ? [uses[0]?.input as Examples[number]] : [];
  });
  return pairWith(mapped.length === 0 ? upstream : { ...upstream, input_examples: mapped });
}

function toToolset(tool: ComputerTool, path: string): ComputerToolset {
  const { cache_control: cache, allowed_callers: callers, defer_loading: deferred } = tool;
  if (callers?.some((caller) => caller !== 'direct') === true) {
    throw new InvalidRequestError(
      `${path}.allowed_callers: the model takes computer_toolset_20260801, which can only be called directly`,
    );
  }
  const toolset = COMPUTER_FORMS.computer_toolset_20260801;
  const missing = missingActions(toolset, COMPUTER_FORMS[tool.type], offeredBy(tool));
  const configs = toolset.actions.flatMap((member): [ComputerMember, object][] => {
    if (missing.includes(member)) return [[member, { enabled: false }]];
    return deferred === true ? [[member, { defer_loading: true }]] : [];
  });
  return {
    type: 'computer_toolset_20260801',
    ...(configs.length === 0 ? {} : { configs: Object.fromEntries(configs) }),
    ...defined({ cache_control: cache, allowed_callers: callers }),
  };
}

function fromToolset(
  toolset: ComputerToolset,
  type: Exclude<ComputerGeneration, 'computer_toolset_20260801'>,
  { width, height }: DisplaySize,
): ComputerTool {
  const { cache_control: cache, allowed_callers: callers, configs } = toolset;
  const offered = offeredBy(toolset);
  const deferred = offered.some((member) => configs?.[member]?.defer_loading === true);
  return {
    type,
    name: 'computer',
    display_width_px: width,
    display_height_px: height,
    ...defined({ cache_control: cache, allowed_callers: callers }),
    ...(deferred ? { defer_loading: true } : {}),
    ...(type === 'computer_20251124' && offered.includes('zoom') ? { enable_zoom: true } : {}),
  } as ComputerTool;
}

function mapComputer(
  tool: ComputerTool | ComputerToolset,
  type: ComputerGeneration,
  path: string,
  size: () => DisplaySize,
): ComputerPair {
  if (type === 'computer_toolset_20260801') {
    return new ComputerPair(tool, isToolset(tool) ? tool : toToolset(tool, path));
  }
  if (isToolset(tool)) return new ComputerPair(tool, fromToolset(tool, type, size()));
  const { input_examples: examples, ...rest } = tool;
  const { enable_zoom: _, ...plain } = { enable_zoom: undefined, ...rest };
  const upstream = { ...plain, type } as ComputerTool;
  return withExamples((mapped) => new ComputerPair(tool, mapped), upstream, examples);
}

function mapEditor(tool: TextEditorTool, type: EditorGeneration): EditorPair {
  const { input_examples: examples, ...rest } = tool;
  const { max_characters: _, ...plain } = { max_characters: undefined, ...rest };
  const upstream = { ...plain, type, name: EDITOR_FORMS[type].name } as TextEditorTool;
  return withExamples((mapped) => new EditorPair(tool, mapped), upstream, examples);
}

/**
 * Translates the tools of a request to the generations that the model takes.
 *
 * @param size finds the size of the display; it is called only when a definition needs it
 * @throws {InvalidRequestError} when a definition cannot be translated
 */
export function mapTools(
  tools: readonly ToolParam[],
  taken: ToolGenerations,
  size: () => DisplaySize,
): MappedTools {
  const pairs: ToolPair[] = [];
  const also = new Set<string>(taken.also);
  let changed = false;
  const mapped = tools.map((tool, index): ToolParam => {
    const path = `tools.${index}`;
    if (tool.type != null && also.has(tool.type)) return tool;
    if (isComputer(tool) && tool.type !== taken.computer) {
      pairs.push(mapComputer(tool, taken.computer, path, size));
    } else if (isEditor(tool) && tool.type !== taken.editor) {
      pairs.push(mapEditor(tool, taken.editor));
    } else if (isBash(tool) && tool.type !== taken.bash) {
      changed = true;
      return { ...tool, type: taken.bash } as BashTool;
    } else {
      return tool;
    }
    changed = true;
    return pairs.at(-1)?.upstream ?? tool;
  });
  if (!changed) return { tools, pairs };
  const names = new Set<string>();
  for (const [index, tool] of mapped.entries()) {
    const name = entryName(tool);
    if (names.has(name)) {
      throw new InvalidRequestError(
        `tools.${index}: the model takes ${String(tool.type ?? name)}, and two tools would be named ${name} then; ` +
          'rename the custom one',
      );
    }
    names.add(name);
  }
  return { tools: mapped, pairs };
}
