import type { Compat } from '@steadyhand/contracts';
import { ToolError } from '../tool.ts';
import { pythonType } from '../python-text.ts';
import { type EditorInput, isPythonInt, isWhole, type IsWhole, requiredText } from './input.ts';
import { exactMatches, lineEnd, tolerantMatches, withLineEnds, type Match } from './match.ts';
import { clip, expandTabs, lineBreaks } from './text.ts';
import { decode, decodeProblem, readable } from './utf8.ts';

/** Everything in which the two compats differ. */
export interface EditorBehaviour {
  /** A file's text. Throws RangeError with the reason when it has none. */
  readonly decode: (bytes: Uint8Array) => string;
  /** A file's text as it is edited, and a text argument as it is taken. */
  readonly prepare: (text: string) => string;
  readonly matches: (file: string, oldText: string, newText: string) => Match[];
  /** Line numbers of several matches, as the model is told. */
  readonly matchLines: (file: string, oldText: string, matches: readonly Match[]) => number[];
  /** `text` as whole lines before the offset `at` of the file, or after its end when `at` is null. */
  readonly insert: (file: string, at: number | null, text: string) => string;
  /** Text as it is shown, at most so many characters of it. */
  readonly show: (text: string, characters: number) => string;
  /** What lists a folder: `find`, or the guest in the order of names, hidden and linked folders too. */
  readonly lists: 'find' | 'walk';
  /** Whether the command is missing. */
  readonly lacksCommand: (input: EditorInput) => boolean;
  /** What counts as a whole number in `view_range` and `insert_line`. */
  readonly isInteger: IsWhole;
  /** The `file_text` of `create`. */
  readonly fileText: (path: string, input: EditorInput) => string;
  /** The absolute path suggested for a relative one. */
  readonly suggestion: (path: string) => string;
  /** Throws ToolError for an `old_str` that can't be looked for. */
  readonly checkOldText: (file: string, oldText: string) => void;
  /** Of an edited file, the part that may hold text which can't be encoded. */
  readonly unchecked: (edited: string, argument: string) => string;
  /** Whether text that can't be encoded leaves an empty file behind. */
  readonly emptiesOnEncodeError: boolean;
  /** Whether `create` makes missing folders. */
  readonly makesFolders: boolean;
  /** Whether the file is decoded before its bytes go to the history, and comes back as that text. */
  readonly remembersText: boolean;
  /** The text of what the history held. */
  readonly remembered: (bytes: Uint8Array) => string;
}

/** The reference to the letter: universal newlines, tabs to spaces, strict UTF-8. */
const REFERENCE: EditorBehaviour = {
  decode: (bytes) => {
    const problem = decodeProblem(bytes);
    if (problem !== null) throw new RangeError(problem);
    return Buffer.from(bytes).toString('utf8').replaceAll(/\r\n?/g, '\n');
  },
  prepare: (text) => expandTabs(text),
  matches: exactMatches,
  matchLines: (file, oldText) =>
    file.split('\n').flatMap((line, index) => (line.includes(oldText) ? [index + 1] : [])),
  insert: (file, at, text) => insertLines(file, at, text, '\n'),
  show: (text, characters) => expandTabs(clip(text, characters)),
  lists: 'find',
  // A null is Python's None, which is a command like any other unknown one.
  lacksCommand: (input) => input['command'] === undefined,
  isInteger: isPythonInt,
  fileText: (path, input) => {
    const text = input['file_text'];
    if (text == null || typeof text === 'string') return requiredText(input, 'file_text', 'create');
    throw new ToolError(
      `Ran into data must be str, not ${pythonType(text)} while trying to write to ${path}`,
    );
  },
  suggestion: (path) => path,
  checkOldText: () => undefined,
  unchecked: (edited) => edited,
  emptiesOnEncodeError: true,
  makesFolders: false,
  remembersText: true,
  remembered: (bytes) => Buffer.from(bytes).toString('utf8'),
};

/** The reference's defects mended: bytes that an edit does not mean to change stay as they are. */
const DEFAULT: EditorBehaviour = {
  decode,
  prepare: (text) => text,
  matches: tolerantMatches,
  matchLines: (file, _, matches) =>
    Array.from(new Set(matches.map(({ start }) => lineBreaks(file, start) + 1))),
  insert: (file, at, text) => {
    const end = lineEnd(file);
    return insertLines(file, at, end === '\n' ? text : withLineEnds(text, end), end);
  },
  show: (text, characters) => clip(readable(text.replaceAll('\r\n', '\n')), characters),
  lists: 'walk',
  lacksCommand: (input) => input['command'] == null,
  isInteger: isWhole,
  fileText: (_, input) => requiredText(input, 'file_text', 'create'),
  suggestion: (path) => `/${path}`,
  checkOldText: (file, oldText) => {
    if (oldText === '' && file !== '')
      throw new ToolError('No replacement was performed. Parameter `old_str` must not be empty.');
  },
  // The file's own text may hold bytes that are no UTF-8; they go back as they came.
  unchecked: (_, argument) => argument,
  emptiesOnEncodeError: false,
  makesFolders: true,
  remembersText: false,
  remembered: decode,
};

function insertLines(file: string, at: number | null, text: string, end: string): string {
  return at === null ? file + end + text : file.slice(0, at) + text + end + file.slice(at);
}

export const EDITOR_BEHAVIOURS: Readonly<Record<Compat, EditorBehaviour>> = {
  reference: REFERENCE,
  default: DEFAULT,
};
