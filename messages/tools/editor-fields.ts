import { choice, integers, objectSchema, text, wholeNumber, type ToolFunction } from './tool-function.ts';
import type { EditorGeneration } from './generations.ts';

/** The ways in which generations of the text editor differ. */
export interface EditorForm {
  readonly name: 'str_replace_editor' | 'str_replace_based_edit_tool';
  /** Whether there is the command `undo_edit`. */
  readonly undo: boolean;
  /** The field that holds the text for `insert`. */
  readonly inserted: 'new_str' | 'insert_text';
}

const FIRST_FORM: EditorForm = { name: 'str_replace_editor', undo: true, inserted: 'new_str' };
const LATER_FORM: EditorForm = { name: 'str_replace_based_edit_tool', undo: false, inserted: 'new_str' };

export const EDITOR_FORMS: Readonly<Record<EditorGeneration, EditorForm>> = {
  text_editor_20241022: FIRST_FORM,
  text_editor_20250124: FIRST_FORM,
  text_editor_20250429: LATER_FORM,
  text_editor_20250728: { ...LATER_FORM, inserted: 'insert_text' },
};

const COMMANDS = ['view', 'create', 'str_replace', 'insert'] as const;

/** The commands that the editor of a generation has. */
export function commandsOf({ undo }: EditorForm): readonly ((typeof COMMANDS)[number] | 'undo_edit')[] {
  return undo ? [...COMMANDS, 'undo_edit'] : COMMANDS;
}

/** A text editor's entry in the generated prompt. */
export function describeEditor(form: EditorForm): string {
  const undo = form.undo ? ' undo_edit takes back the last edit of the file.' : '';
  return [
    `- ${form.name}: views and edits files. \`command\` is one of ${commandsOf(form).join(', ')}; \`path\``,
    '  is absolute. view shows a file with line numbers, or a `view_range` of it, or a directory two levels deep.',
    '  create takes `file_text` and never overwrites. str_replace swaps `old_str`, which must occur exactly once,',
    `  white space included, for \`new_str\`. insert puts \`${form.inserted}\` after line \`insert_line\`.${undo}`,
    '  Long output is cut and marked <response clipped>.',
  ].join('\n');
}

/** A text editor as a function. */
export function editorFunction(form: EditorForm): ToolFunction {
  const inserting = form.inserted === 'new_str';
  return {
    name: form.name,
    description: 'Views, creates and edits text files. What it changed stays from call to call.',
    input_schema: objectSchema(
      {
        command: choice(commandsOf(form), 'What to do'),
        path: text('Absolute path of a file or folder'),
        file_text: text('For create: the content of the new file'),
        old_str: text('For str_replace: the text to replace, which must occur exactly once'),
        new_str: text(
          `For str_replace: the text to put in its place${inserting ? '; for insert: the text to insert' : ''}`,
        ),
        ...(inserting ? {} : { insert_text: text('For insert: the text to insert') }),
        insert_line: wholeNumber('For insert: the line after which the text goes; 0 for the beginning', 0),
        view_range: integers(2, 'For view of a file: first and last line, counted from 1; -1 for the end'),
      },
      ['command', 'path'],
    ),
  };
}
