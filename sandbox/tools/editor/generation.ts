import type { Compat, ToolDefinition } from '@steadyhand/contracts';
import { ToolError } from '../tool.ts';
import { optionalText, type EditorInput } from './input.ts';
import { MAX_SHOWN } from './text.ts';

/** The differences between the generations of the text editor. */
export interface EditorGeneration {
  /** The commands in the order in which the model sees them. */
  readonly commands: readonly string[];
  /** The field that holds the text to insert. */
  readonly insertField: 'new_str' | 'insert_text';
  /** Whether the definition may limit how much of a file a view shows. */
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

/** Returns the generation of a definition; throws ToolError when the sandbox does not know it. */
export function editorGeneration({ type }: ToolDefinition): EditorGeneration {
  const generation = Object.hasOwn(EDITOR_GENERATIONS, type) ? EDITOR_GENERATIONS[type] : undefined;
  if (generation === undefined) throw new ToolError(`${type} is not a text editor that this sandbox has`);
  return generation;
}

/**
 * Returns the text to insert. With `default` the other generations' field is accepted where it is the only one given,
 * because a model sometimes answers in the generation it was trained on.
 */
export function insertText(input: EditorInput, { insertField }: EditorGeneration, compat: Compat): string {
  const other = insertField === 'new_str' ? 'insert_text' : 'new_str';
  const text = optionalText(input, insertField) ?? (compat === 'default' ? optionalText(input, other) : null);
  if (text === null) throw new ToolError(`Parameter \`${insertField}\` is required for command: insert`);
  return text;
}

/** Returns the most characters of a file that a view shows. */
export function shownCharacters(
  { max_characters: characters }: ToolDefinition,
  { maxCharacters }: EditorGeneration,
): number {
  return maxCharacters && characters != null ? characters : MAX_SHOWN;
}
