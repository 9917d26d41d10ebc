import type { BashTool, ComputerToolset, TextEditorTool } from '../api/api-types.ts';
import { computerToolset20260801 } from './computer-toolset-20260801.ts';
import { EDITOR_FORMS, editorFunction } from './editor-fields.ts';
import { objectSchema, text, type ToolFunction } from './tool-function.ts';
import { COMPUTER_TOOLSET_NAME } from './tool-names.ts';

/** One thing that a computer does: which tool is listed for it, and what a use of that tool holds. */
export interface ToolAction {
  /** Unique among the actions of its tool, e.g. `left_click`, `str_replace`. */
  readonly action: string;
  readonly description: string;
  /** The entry of `tools`. */
  readonly tool: ComputerToolset | TextEditorTool | BashTool;
  /** The `name` of a use. */
  readonly name: string;
  /** The `toolset_name` of a use, for a toolset's member. */
  readonly toolset_name?: string;
  /** A JSON schema of a use's `input`. A property with `const` has this value alone. */
  readonly input_schema: ToolFunction['input_schema'];
}

const COMPUTER: ComputerToolset = { type: 'computer_toolset_20260801' };
const EDITOR = { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' } as const;
const BASH = { type: 'bash_20250124', name: 'bash' } as const;

/** The editor's commands with the fields that each takes; those after the bar may be left out. */
const COMMANDS = [
  ['view', 'Shows a file with line numbers, or a folder two levels deep.', 'path|view_range'],
  ['create', 'Writes a new file.', 'path file_text'],
  ['str_replace', 'Replaces a text that occurs exactly once.', 'path old_str|new_str'],
  ['insert', 'Puts lines after a line.', 'path insert_line insert_text'],
] as const;

function fixed(value: unknown): Readonly<Record<string, unknown>> {
  return { const: value };
}

/** A property whose text may have lines, which forms ask for in a larger field. */
const lines = (schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...schema,
  contentMediaType: 'text/plain',
});

/** The texts that may have lines. */
const WITH_LINES: ReadonlySet<string> = new Set(['file_text', 'old_str', 'new_str', 'insert_text']);

function editorActions(): readonly ToolAction[] {
  const { properties } = editorFunction(EDITOR_FORMS[EDITOR.type]).input_schema;
  const known = properties as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return COMMANDS.map(([command, description, fields]) => {
    const [needed = '', more = ''] = fields.split('|');
    const required = needed.split(' ');
    const names = [...required, ...more.split(' ').filter(Boolean)];
    const inputs = Object.fromEntries(
      names.map((name) => {
        const schema = known[name] ?? {};
        return [name, WITH_LINES.has(name) ? lines(schema) : schema];
      }),
    );
    return {
      action: command,
      description,
      tool: EDITOR,
      name: EDITOR.name,
      input_schema: objectSchema({ command: fixed(command), ...inputs }, ['command', ...required]),
    };
  });
}

/** Everything that somebody can have a computer do by hand, in the newest generation of each tool. */
export function toolActions(): readonly ToolAction[] {
  return [
    ...computerToolset20260801.functions(COMPUTER).map(({ name, description, input_schema }) => ({
      action: name,
      description,
      tool: COMPUTER,
      name,
      toolset_name: COMPUTER_TOOLSET_NAME,
      input_schema:
        name === 'type' ? objectSchema({ text: lines(text('The text to type')) }, ['text']) : input_schema,
    })),
    {
      action: 'run',
      description: 'Runs a command in a shell that keeps its folder, variables and jobs.',
      tool: BASH,
      name: BASH.name,
      input_schema: objectSchema({ command: lines(text('The command, as it is')) }, ['command']),
    },
    {
      action: 'restart',
      description: 'Starts the shell afresh.',
      tool: BASH,
      name: BASH.name,
      input_schema: objectSchema({ restart: fixed(true) }, ['restart']),
    },
    ...editorActions(),
  ];
}
