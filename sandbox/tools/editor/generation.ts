import type { Compat, ToolDefinition } from '@steadyhand/contracts';
import { ToolError } from '../tool.ts';
import { optionalText, type EditorInput } from './input.ts';
import { MAX_SHOWN } from './text.ts';

/** In what the generations of the text editor differ. */
export interface EditorGeneration {
  /** Commands in the order in which the model is told of them. */
  readonly commands: readonly string[];
  /** The field that holds the text to insert. */
  readonly insertField: 'new_str' | 'insert_text';
  /** Whether the definition may say how much of a file a view shows. */
  readonly maxCharacters: boolean;
}

const COMMANDS = ['view', 'create', 'str_replace', 'insert'];
const FIRST: EditorGeneration = {
  commands: [...COMMANDS, 'undo_edit'],
  insertField: 'new_str',
  maxCharacters: false,
};
const WITHOUT_UNDO: EditorGeneration = { ...FIRST, commands: COMMANDS };

/** The generations by the `type` of their definition. */
export const EDITOR_GENERATIONS: Readonly<Record<string, EditorGeneration>> = {
  text_editor_20241022: FIRST,
  text_editor_20250124: FIRST,
  text_editor_20250429: WITHOUT_UNDO,
  text_editor_20250728: { ...WITHOUT_UNDO, insertField: 'insert_text', maxCharacters: true },
};

/** The generation that a definition is of; ToolError when the sandbox knows none such. */
export function editorGeneration({ type }: ToolDefinition): EditorGeneration {
  const generation = Object.hasOwn(EDITOR_GENERATIONS, type) ? EDITOR_GENERATIONS[type] : undefined;
  if (generation === undefined) throw new ToolError(`${type} is not a text editor that this sandbox has`);
  return generation;
}

/**
 * The text to insert. With `default` the other generations' field is understood where it is the only one given, as a model
 * sometimes answers in the generation it was trained on.
 */
export function insertText(input: EditorInput, { insertField }: EditorGeneration, compat: Compat): string {
  const other = insertField === 'new_str' ? 'insert_text' : 'new_str';
  const text = optionalText(input, insertField) ?? (compat === 'default' ? optionalText(input, other) : null);
  if (text === null) throw new ToolError(`Parameter \`${insertField}\` is required for command: insert`);
  return text;
}

/** Characters of a file that a view shows at most. */
export function shownCharacters(
  { max_characters: characters }: ToolDefinition,
  { maxCharacters }: EditorGeneration,
): number {
  return maxCharacters && characters != null ? characters : MAX_SHOWN;
}
