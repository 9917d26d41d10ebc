import type { Compat } from '@steadyhand/contracts';
import type { Guest, GuestFileKind, GuestFiles } from '../../guest-protocol/guest.ts';
import { pythonPath, pythonStr } from '../python-text.ts';
import { ToolError, type Tool, type ToolOutput } from '../tool.ts';
import { Documents } from './document.ts';
import { editorGeneration, insertText, shownCharacters, type EditorGeneration } from './generation.ts';
import { MemoryHistory, type EditHistory } from './history.ts';
import {
  asFields,
  hasViewRange,
  insertLine,
  optionalText,
  requiredText,
  viewRange,
  type EditorInput,
} from './input.ts';
import { EDITOR_BEHAVIOURS, type EditorBehaviour } from './compat.ts';
import { clip, lineBreaks, MAX_SHOWN, numbered, SNIPPET_LINES } from './text.ts';
import { encode } from './utf8.ts';

interface EditorToolOptions {
  readonly files: GuestFiles;
  /** Runs the `find` of a folder's view with `reference`. */
  readonly run: Guest['run'];
  readonly compat: Compat;
  /** The history for `undo_edit`. By default it is kept in memory, as long as the tool lives. */
  readonly history?: EditHistory;
}

/** How one call is read: by its generation, its compat, and its definition's own fields. */
interface Call {
  readonly input: EditorInput;
  readonly generation: EditorGeneration;
  readonly compat: Compat;
  /** The most characters of a file that a view shows. */
  readonly shown: number;
}

type Command = (editor: Editor, path: string, call: Call) => Promise<string>;

const COMMANDS: Readonly<Record<string, Command>> = {
  view: (editor, path, { input, shown }) => editor.view(path, input, shown),
  create: (editor, path, { input }) => editor.create(path, input),
  str_replace: (editor, path, { input }) =>
    editor.replace(path, requiredText(input, 'old_str', 'str_replace'), optionalText(input, 'new_str') ?? ''),
  insert: (editor, path, { input, generation, compat }) =>
    editor.insert(
      path,
      insertLine(input, EDITOR_BEHAVIOURS[compat].isInteger),
      insertText(input, generation, compat),
    ),
  undo_edit: (editor, path) => editor.undo(path),
};

/**
 * The text editor tool of every generation: it views, creates and edits files inside the sandbox and undoes its edits.
 * Bad input and files that cannot be read or written are ToolError with the reference's text.
 */
export function createEditorTool({ files, run, compat, history }: EditorToolOptions): Tool {
  const behaviour = EDITOR_BEHAVIOURS[compat];
  const editor = new Editor(new Documents(files, run, behaviour), history ?? new MemoryHistory(), behaviour);
  return {
    run: async (input, { definition }): Promise<ToolOutput> => {
      const generation = editorGeneration(definition);
      const allowed = `The allowed commands for the ${definition.name} tool are: ${generation.commands.join(', ')}`;
      const fields = asFields(input);
      if (behaviour.lacksCommand(fields))
        throw new ToolError(`Parameter \`command\` is required. ${allowed}`);
      const name = pythonStr(fields['command']);
      const path = pythonPath(requiredText(fields, 'path', name));
      await editor.checkPath(path, name);
      const command = generation.commands.includes(name) ? COMMANDS[name] : undefined;
      if (command === undefined) throw new ToolError(`Unrecognized command ${name}. ${allowed}`);
      const shown = shownCharacters(definition, generation);
      return { output: await command(editor, path, { input: fields, generation, compat, shown }) };
    },
  };
}

function checkKind(kind: GuestFileKind, path: string, command: string): void {
  if (kind === 'directory' && command !== 'view')
    throw new ToolError(
      `The path ${path} is a directory and only the \`view\` command can be used on directories`,
    );
  // It is never opened, because a FIFO would block its reader for ever.
  if (kind === 'other') throw new ToolError(`The path ${path} is neither a file nor a directory.`);
}

class Editor {
  readonly #documents: Documents;
  readonly #history: EditHistory;
  readonly #behaviour: EditorBehaviour;

  constructor(documents: Documents, history: EditHistory, behaviour: EditorBehaviour) {
    this.#documents = documents;
    this.#history = history;
    this.#behaviour = behaviour;
  }

  /** The reference checks this first, even before whether it knows the command. */
  async checkPath(path: string, command: string): Promise<void> {
    if (!path.startsWith('/'))
      throw new ToolError(
        `The path ${path} is not an absolute path, it should start with \`/\`. Maybe you meant ${this.#behaviour.suggestion(path)}?`,
      );
    const kind = await this.#documents.kind(path, command === 'create' ? 'write to' : 'read');
    if (kind === null && command !== 'create')
      throw new ToolError(`The path ${path} does not exist. Please provide a valid path.`);
    if (kind !== null && command === 'create')
      throw new ToolError(
        `File already exists at: ${path}. Cannot overwrite files using command \`create\`.`,
      );
    if (kind !== null) checkKind(kind, path, command);
  }

  async view(path: string, input: EditorInput, shown: number): Promise<string> {
    if ((await this.#documents.kind(path, 'read')) === 'directory') return this.#list(path, input);
    const { text } = await this.#documents.read(path);
    const lines = text.split('\n');
    const range = viewRange(input, lines.length, this.#behaviour);
    if (range === null) return this.#numbered(text, path, 1, shown);
    return this.#numbered(lines.slice(range[0] - 1, range[1]).join('\n'), path, range[0], shown);
  }

  async create(path: string, input: EditorInput): Promise<string> {
    const text = this.#behaviour.fileText(path, input);
    await this.#documents.checkText(path, text);
    await this.#documents.write(path, text);
    await this.#history.push(path, encode(text));
    return `File created successfully at: ${path}`;
  }

  async replace(path: string, oldArgument: string, newArgument: string): Promise<string> {
    const { bytes, text } = await this.#documents.read(path);
    const file = this.#behaviour.prepare(text);
    const oldText = this.#behaviour.prepare(oldArgument);
    const newText = this.#behaviour.prepare(newArgument);
    this.#behaviour.checkOldText(file, oldText);
    const matches = this.#behaviour.matches(file, oldText, newText);
    const [match, ...others] = matches;
    if (match === undefined)
      throw new ToolError(
        `No replacement was performed, old_str \`${oldText}\` did not appear verbatim in ${path}.`,
      );
    if (others.length > 0)
      throw new ToolError(
        `No replacement was performed. Multiple occurrences of old_str \`${oldText}\` in lines ${pythonStr(this.#behaviour.matchLines(file, oldText, matches))}. Please ensure it is unique`,
      );
    const edited = file.slice(0, match.edit.start) + match.edit.text + file.slice(match.edit.end);
    await this.#documents.checkText(path, this.#behaviour.unchecked(edited, newText));
    await this.#change(path, edited, bytes, file);
    const line = lineBreaks(file, match.start);
    const first = Math.max(0, line - SNIPPET_LINES);
    const snippet = edited.split('\n').slice(first, line + SNIPPET_LINES + lineBreaks(newText) + 1);
    return (
      `The file ${path} has been edited. ` +
      this.#numbered(snippet.join('\n'), `a snippet of ${path}`, first + 1) +
      'Review the changes and make sure they are as expected. Edit the file again if necessary.'
    );
  }

  /** For `line`, true and false count as 1 and 0 where the compat accepts them. */
  async insert(path: string, line: number, argument: string): Promise<string> {
    const after = Number(line);
    const { bytes, text } = await this.#documents.read(path);
    const file = this.#behaviour.prepare(text);
    const lines = file.split('\n');
    if (after < 0 || after > lines.length)
      throw new ToolError(
        `Invalid \`insert_line\` parameter: ${pythonStr(line)}. It should be within the range of lines of the file: ${pythonStr([0, lines.length])}`,
      );
    const added = this.#behaviour.prepare(argument);
    const before = lines.slice(0, after).join('\n').length + (after > 0 ? 1 : 0);
    const edited = this.#behaviour.insert(file, after < lines.length ? before : null, added);
    await this.#documents.checkText(path, this.#behaviour.unchecked(edited, added));
    await this.#change(path, edited, bytes, file);
    const snippet = edited
      .split('\n')
      .slice(Math.max(0, after - SNIPPET_LINES), after + lineBreaks(added) + 1 + SNIPPET_LINES);
    return (
      `The file ${path} has been edited. ` +
      this.#numbered(
        snippet.join('\n'),
        'a snippet of the edited file',
        Math.max(1, after - SNIPPET_LINES + 1),
      ) +
      'Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.'
    );
  }

  async undo(path: string): Promise<string> {
    const before = await this.#history.pop(path);
    if (before === null) throw new ToolError(`No edit history found for ${path}.`);
    try {
      await this.#documents.writeBytes(path, before);
    } catch (error) {
      await this.#history.push(path, before);
      throw error;
    }
    return `Last edit to ${path} undone successfully. ${this.#numbered(this.#behaviour.remembered(before), path)}`;
  }

  async #list(path: string, input: EditorInput): Promise<string> {
    if (hasViewRange(input))
      throw new ToolError('The `view_range` parameter is not allowed when `path` points to a directory.');
    const listing = clip(await this.#documents.list(path));
    return `Here's the files and directories up to 2 levels deep in ${path}, excluding hidden items:\n${listing}\n`;
  }

  async #change(path: string, edited: string, bytes: Uint8Array, file: string): Promise<void> {
    await this.#documents.write(path, edited);
    await this.#history.push(path, this.#behaviour.remembersText ? encode(file) : bytes);
  }

  #numbered(text: string, what: string, firstLine = 1, shown = MAX_SHOWN): string {
    return numbered(this.#behaviour.show(text, shown), what, firstLine);
  }
}
