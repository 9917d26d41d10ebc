import type { Compat } from '@steadyhand/contracts';
import { ToolError } from '../tool.ts';
import { pythonType } from '../python-text.ts';
import { type EditorInput, isPythonInt, isWhole, type IsWhole, requiredText } from './input.ts';
import { exactMatches, lineEnd, tolerantMatches, withLineEnds, type Match } from './match.ts';
import { clip, expandTabs, lineBreaks } from './text.ts';
import { decode, decodeProblem, readable } from './utf8.ts';

/** Everything in which the two compats differ. */
export interface EditorBehaviour {
  /** Decodes a file. Throws RangeError with the reason when it has no text. */
  readonly decode: (bytes: Uint8Array) => string;
  /** Prepares a file's text or a text argument for editing. */
  readonly prepare: (text: string) => string;
  readonly matches: (file: string, oldText: string, newText: string) => Match[];
  /** Returns the line numbers of several matches, as they are reported to the model. */
  readonly matchLines: (file: string, oldText: string, matches: readonly Match[]) => number[];
  /** Inserts `text` as whole lines before the offset `at` of the file, or after its end when `at` is null. */
  readonly insert: (file: string, at: number | null, text: string) => string;
  /** Returns text as it is shown, with at most that many characters. */
  readonly show: (text: string, characters: number) => string;
  /** How a folder is listed: by `find`, or by the guest in the order of names, including hidden and linked folders. */
  readonly lists: 'find' | 'walk';
  /** Whether the command is missing. */
  readonly lacksCommand: (input: EditorInput) => boolean;
  /** What counts as a whole number in `view_range` and `insert_line`. */
  readonly isInteger: IsWhole;
  /** Returns the `file_text` of `create`. */
  readonly fileText: (path: string, input: EditorInput) => string;
  /** Returns the absolute path suggested for a relative one. */
  readonly suggestion: (path: string) => string;
  /** Throws ToolError for an `old_str` that cannot be searched for. */
  readonly checkOldText: (file: string, oldText: string) => void;
  /** Returns the part of an edited file that may contain text which cannot be encoded. */
  readonly unchecked: (edited: string, argument: string) => string;
  /** Whether text that cannot be encoded leaves an empty file behind. */
  readonly emptiesOnEncodeError: boolean;
  /** Whether `create` makes missing folders. */
  readonly makesFolders: boolean;
  /** Whether the history holds the decoded text instead of the file's bytes. */
  readonly remembersText: boolean;
  /** Returns the text of an entry of the history. */
  readonly remembered: (bytes: Uint8Array) => string;
}

/** This is exactly the reference: universal newlines, tabs to spaces, strict UTF-8. */
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

/** This corrects the reference's defects: bytes that an edit does not mean to change stay as they are. */
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
  // The file's own text may contain bytes that are not UTF-8; they are written back unchanged.
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
