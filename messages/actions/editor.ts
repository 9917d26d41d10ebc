import { commandsOf, type EditorForm } from '../tools/editor-fields.ts';
import type { Decoded, EditorCommand, Encoded } from './action.ts';
import { Fields, InvalidInputError } from './fields.ts';

type Input = Readonly<Record<string, unknown>>;

export const NO_UNDO =
  'there is no command undo_edit here; bring the old text back with str_replace, or write the file anew';

function required(fields: Fields, name: string, command: string): string {
  if (!fields.has(name))
    throw new InvalidInputError(`Parameter \`${name}\` is required for command: ${command}`);
  return fields.text(name);
}

function range(input: Input): { range?: readonly [number, number] } {
  const value = input['view_range'];
  if (value == null) return {};
  if (!Array.isArray(value) || value.length !== 2 || !value.every((line) => Number.isSafeInteger(line))) {
    throw new InvalidInputError('Invalid `view_range`. It should be a list of two integers.');
  }
  return { range: value as unknown as readonly [number, number] };
}

/** Models confuse the two fields. An input that holds only one of them is clear all the same. */
function inserted(fields: Fields, form: EditorForm): string {
  const other = form.inserted === 'new_str' ? 'insert_text' : 'new_str';
  if (fields.has(form.inserted) || !fields.has(other)) return required(fields, form.inserted, 'insert');
  return fields.text(other);
}

function read(form: EditorForm, input: Input): EditorCommand {
  const commands = commandsOf(form);
  const command = commands.find((known) => known === input['command']);
  if (command === undefined) {
    throw new InvalidInputError(
      `Unrecognized command ${String(input['command'])}. The allowed commands for the ${form.name} tool are: ` +
        commands.join(', '),
    );
  }
  const fields = new Fields(input, command);
  const path = required(fields, 'path', command);
  switch (command) {
    case 'view':
      return { type: 'view', path, ...range(input) };
    case 'create':
      return { type: 'create', path, text: required(fields, 'file_text', command) };
    case 'str_replace': {
      const old = required(fields, 'old_str', command);
      const replacement = fields.optionalText('new_str');
      return { type: 'str_replace', path, old, ...(replacement === undefined ? {} : { with: replacement }) };
    }
    case 'insert':
      if (!fields.has('insert_line')) {
        throw new InvalidInputError('Parameter `insert_line` is required for command: insert');
      }
      return { type: 'insert', path, line: fields.whole('insert_line', 0), text: inserted(fields, form) };
    case 'undo_edit':
      return { type: 'undo_edit', path };
  }
}

/** Reads an input of a generation's text editor. */
export function decodeEditor(form: EditorForm, input: Input): Decoded<EditorCommand> {
  try {
    return { action: read(form, input) };
  } catch (error) {
    if (error instanceof InvalidInputError) return { invalid: error.message };
    throw error;
  }
}

/** Writes a command as an input of a generation's text editor. */
export function encodeEditor(form: EditorForm, command: EditorCommand): Encoded<Input> {
  const { type, path } = command;
  switch (type) {
    case 'view':
      return {
        inputs: [
          { command: type, path, ...(command.range === undefined ? {} : { view_range: command.range }) },
        ],
      };
    case 'create':
      return { inputs: [{ command: type, path, file_text: command.text }] };
    case 'str_replace': {
      const replacement = command.with === undefined ? {} : { new_str: command.with };
      return { inputs: [{ command: type, path, old_str: command.old, ...replacement }] };
    }
    case 'insert':
      return {
        inputs: [{ command: type, path, insert_line: command.line, [form.inserted]: command.text }],
      };
    case 'undo_edit':
      return form.undo ? { inputs: [{ command: type, path }] } : { refused: NO_UNDO };
  }
}
