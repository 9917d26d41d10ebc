import { tolerantMatches, type Match } from '../editor/match.ts';
import { decode, encode, encodeProblem } from '../editor/utf8.ts';
import { regularFile } from './read.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';

/**
 * `edit` replaces one text by another. It must occur exactly once, or is replaced everywhere with `replace_all`. The
 * rest of the file stays the same to the byte, including line ends and bytes that are not UTF-8.
 */
export function editTool({ files }: Pick<ToolsetGuest, 'files'>): ToolsetTool {
  return async (input) => {
    const path = input.path('file_path');
    const oldText = input.required('old_string');
    const newText = input.optional('new_string');
    if (newText === undefined) throw input.fault('new_string is required');
    const all = input.flag('replace_all');
    const problem = encodeProblem(newText);
    if (problem !== null) throw input.fault(`new_string is no text that can be written: ${problem}`);
    const text = decode(await regularFile(files, path, input));
    const matches = tolerantMatches(text, oldText, newText);
    if (matches.length === 0) throw input.fault(`old_string not found in ${path}`);
    if (matches.length > 1 && !all)
      throw input.fault(`old_string appears ${matches.length} times in ${path} (must be unique)`);
    try {
      await files.write(path, encode(edited(text, matches)));
    } catch (error) {
      throw input.fileFault(error, path);
    }
    return { output: `edited ${path} (${matches.length} replacement(s))` };
  };
}

/** The matches are in the order of the text and do not overlap. */
function edited(text: string, matches: readonly Match[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { edit } of matches) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return parts.join('') + text.slice(at);
}
